type Same<T> = (left: T, right: T) => boolean;

export const sameValue = <T extends string | number | boolean | null | undefined>(
  left: T,
  right: T,
): boolean => left === right;

/** The same items in the same order. */
export const sameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((item, index) => item === right[index]);

/** Equality field by field; a new field of the type stops the build until it is compared. */
export const sameFields =
  <T extends object>(fields: { readonly [K in keyof T]-?: Same<T[K]> }): Same<T> =>
  (left, right) => {
    for (const name of Object.keys(fields) as (keyof T)[]) {
      if (!fields[name](left[name], right[name])) return false;
    }
    return true;
  };

/** Of the rest of an object whose fields were all named before: a further field stops the build. */
export const allNamed = (_rest: Readonly<Record<PropertyKey, never>>): void => undefined;
