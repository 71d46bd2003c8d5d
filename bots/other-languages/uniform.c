/* Uniform: a bot in C, with nothing but the standard library. It plays every game.
 *
 * It chooses any legal action, each as likely as the others, and draws its chance from the seed it
 * is given, so that a game can be played again. Protocol 1 is described in docs/protocol.md: one
 * JSON object a line, answers repeat the id. Requests are read just far enough to find a member of
 * the outermost object; the chosen action is sent back as it was written.
 *
 *     cc -O2 -o uniform uniform.c
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns where a JSON value ends: behind its last character. */
static const char *end_of(const char *at)
{
    int depth = 0, in_text = 0;
    for (; *at; at++) {
        if (in_text) {
            if (*at == '\\' && at[1])
                at++;
            else if (*at == '"') {
                in_text = 0;
                if (depth == 0)
                    return at + 1;
            }
        } else if (*at == '"')
            in_text = 1;
        else if (*at == '{' || *at == '[')
            depth++;
        else if (*at == '}' || *at == ']') {
            if (depth == 0)
                return at;
            if (--depth == 0)
                return at + 1;
        } else if (*at == ',' && depth == 0)
            return at;
    }
    return at;
}

static const char *past_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
        at++;
    return at;
}

/* Returns the value of a member of an object, or NULL. */
static const char *member(const char *object, const char *name)
{
    size_t length = strlen(name);
    const char *at = past_blanks(object);
    if (*at != '{')
        return NULL;
    while (*at == '{' || *at == ',') {
        const char *key = past_blanks(at + 1);
        const char *key_end = end_of(key);
        if (*key != '"' || *key_end == '\0')
            return NULL;
        const char *value = past_blanks(key_end);
        if (*value != ':')
            return NULL;
        value = past_blanks(value + 1);
        if ((size_t)(key_end - key) == length + 2 && strncmp(key + 1, name, length) == 0)
            return value;
        at = past_blanks(end_of(value));
    }
    return NULL;
}

static int is_text(const char *value, const char *text)
{
    size_t length = strlen(text);
    return value != NULL && *value == '"' && strncmp(value + 1, text, length) == 0 && value[length + 1] == '"';
}

/* SplitMix64, a small generator by Sebastiano Vigna, in the public domain. */
static uint64_t chance;

static uint64_t draw(void)
{
    uint64_t z = (chance += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Finds one of the elements of an array, each as likely as the others, or returns 0. */
static int choose(const char *array, const char **begin, const char **end)
{
    size_t count = 0;
    for (int counted = 0; counted < 2; counted++) {
        size_t wanted = counted && count ? draw() % count : 0;
        size_t number = 0;
        for (const char *at = past_blanks(array + 1); *at && *at != ']'; number++) {
            const char *stop = end_of(at);
            if (counted && number == wanted) {
                *begin = at;
                *end = stop;
                return 1;
            }
            at = past_blanks(stop);
            if (*at == ',')
                at = past_blanks(at + 1);
        }
        count = number;
    }
    return 0;
}

static void answer(const char *line)
{
    const char *type = member(line, "type");
    long long id = member(line, "id") ? strtoll(member(line, "id"), NULL, 10) : 0;
    if (is_text(type, "hello"))
        printf("{\"type\":\"ready\",\"id\":%lld,\"version\":\"1\"}\n", id);
    else if (is_text(type, "start")) {
        char seed[17] = "";
        const char *rng = member(line, "rng");
        if (rng != NULL)
            strncpy(seed, rng + 1, 16);
        chance = strtoull(seed, NULL, 16);
        printf("{\"type\":\"ok\",\"id\":%lld}\n", id);
    } else if (is_text(type, "act")) {
        const char *begin, *end, *legal = member(line, "legal");
        if (legal == NULL || !choose(legal, &begin, &end))
            exit(EXIT_FAILURE);
        printf("{\"type\":\"action\",\"id\":%lld,\"action\":%.*s}\n", id, (int)(end - begin), begin);
    } else if (is_text(type, "quit"))
        exit(EXIT_SUCCESS);
    fflush(stdout); /* stdout is a pipe here: nothing is sent before */
}

int main(void)
{
    size_t size = 1 << 16, used = 0;
    char *line = malloc(size);
    if (line == NULL)
        return EXIT_FAILURE;
    while (fgets(line + used, (int)(size - used), stdin) != NULL) {
        used += strlen(line + used);
        if (line[used - 1] == '\n') {
            answer(line);
            used = 0;
        } else if (used + 1 == size) {
            size *= 2;
            line = realloc(line, size);
            if (line == NULL)
                return EXIT_FAILURE;
        }
    }
    free(line);
    return EXIT_SUCCESS;
}
