/* A harness in C: reads tests, answers each with a line. Replace is_accepted by what is under test. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int is_accepted(const unsigned char *test, size_t length) {
    return length > 0 && test[0] != ')';
}

int main(void) {
    unsigned char header[4];
    while (fread(header, 1, 4, stdin) == 4) {
        uint32_t length = header[0] | header[1] << 8 | header[2] << 16 | (uint32_t)header[3] << 24;
        unsigned char *test = malloc(length + 1);
        if (!test || fread(test, 1, length, stdin) != length) return 1;
        puts(is_accepted(test, length) ? "accept" : "reject");
        fflush(stdout);
        free(test);
    }
    return 0;
}
