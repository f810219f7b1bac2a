/** From here on a body is looked through by another thread: a few milliseconds of work. */
export const largeBytes = 524_288;

/** The same of a body that is parsed, mapped and written anew, which takes many times as long. */
export const largeTranslationBytes = 131_072;
