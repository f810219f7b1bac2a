import type { Provider } from '../types.ts';

type Unknown<P> = Exclude<keyof P, keyof Provider>;

/** Keeps the exact type of a provider's parts, which the registry compares with its facts. */
export const defineProvider = <const P extends Provider>(
  provider: P & Readonly<Record<Unknown<P>, never>>,
): P => provider;
