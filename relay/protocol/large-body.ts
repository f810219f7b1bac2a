/** From this size on a body is scanned by another thread: a few milliseconds of work. */
export const largeBytes = 524_288;

/** The same of a body that is parsed, mapped and rewritten, which takes many times as long. */
export const largeTranslationBytes = 131_072;
