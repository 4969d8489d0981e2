/**
 * The most bytes of UTF-8 that a policy's YAML text has, far above any policy a person can read: a larger text is a mistake
 * or an attack, and is not even parsed. Apart from the parser, for pages that only measure a text.
 */
export const SOURCE_BYTES_MAX = 512 * 1024;
