/** An answer that breaks the rules of HTTP/1.1: a guess at its borders would mix up two answers. */
export class BrokenAnswer extends Error {}
