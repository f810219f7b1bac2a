/** A change of product code that exists in a bundle of the simulator and nowhere else. */
export type Patch = Readonly<{
  /** From the top of the repository. */
  file: string;
  find: string | RegExp;
  replace: string;
}>;

/** A number that bounds something, made small enough for a history of seconds to reach it. */
export const constant = (file: string, name: string, value: number): Patch => ({
  file,
  find: new RegExp(`(const ${name}(?:: [^=;]+)? = )[^;]+;`),
  replace: `$1${value};`,
});

/** @throws when the text to be replaced does not occur exactly once */
export const applyPatch = (source: string, { file, find, replace }: Patch): string => {
  const pattern =
    typeof find === 'string'
      ? new RegExp(find.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g')
      : new RegExp(find.source, 'g');
  const found = source.match(pattern)?.length ?? 0;
  if (found !== 1) {
    throw new Error(`${file}: the text to be replaced stands there ${found} times: ${find}`);
  }
  return typeof find === 'string'
    ? source.split(find).join(replace)
    : source.replace(pattern, replace);
};
