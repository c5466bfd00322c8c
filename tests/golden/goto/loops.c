int main(void)
{
    int s = 0;
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            continue;
        s += i;
    }
    do
        s--;
    while (s > 0);
    while (s < 5 && s != 3)
        s++;
    return s;
}
