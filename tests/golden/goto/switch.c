int f(int x)
{
    switch (x) {
    case 1:
        x = 10;
    case 2:
        x++;
        break;
    default:
        return 0;
    }
    return x;
}
int main(void) { return f(2); }
