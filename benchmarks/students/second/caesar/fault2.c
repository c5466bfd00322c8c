#include <stdio.h>
#include <string.h>

int main()
{
	char text[100] = "";
	int k, i, p;

	if (scanf("%d", &k) != 1)
		return 1;
	getchar();
	if (fgets(text, 100, stdin) != NULL)
		text[strcspn(text, "\n")] = '\0';

	for (i = 0; text[i] != '\0'; i++) {
		if (text[i] >= 'a' && text[i] <= 'z') {
			p = text[i] - 'a';
			p = (p + k) % 26;
			if (p < 0)
				p = p + 26;
			text[i] = 'a' + p;
		}
		else if (text[i] >= 'A' && text[i] <= 'Z') {
			p = text[i] - 'A';
			p = (p + k) % 26;
			text[i] = 'A' + p;
		}
	}
	printf("%s\n", text);
	return 0;
}
