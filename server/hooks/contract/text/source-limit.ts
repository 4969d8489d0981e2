/**
 * The size limit of a policy's YAML text, in bytes of UTF-8. It is far above any readable policy: a larger text is a mistake or an
 * attack, and is not parsed. Separate from the parser, for pages that only measure a text.
 */
export const SOURCE_BYTES_MAX = 512 * 1024;
