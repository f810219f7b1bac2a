import { isDecimalText } from './decimal.ts';

/*
 * The shape of a value read from the log. A type of an event is inferred from its shape, so that
 * each field is written once.
 */

type Check = (value: unknown) => string | null;
/**
 * Returns the problem of a value; null when there is none. `extra` lists the paths of fields that the
 * shape does not name, for tests. `type` is never set: it carries the type.
 */
export type Shape<T = unknown> = Check & {
  extra?: (value: unknown) => readonly string[];
  type?: T;
};
/** Of a field that may be absent. */
type OptionalShape<T> = Shape<T> & { readonly isOptional: true };
export type Fields = Readonly<Record<string, Shape>>;

export type Infer<S extends Shape> = S extends Shape<infer T> ? T : never;
type NameOfOptional<F> = {
  [K in keyof F]: F[K] extends { readonly isOptional: true } ? K : never;
}[keyof F];
type Flat<T> = { [K in keyof T]: T[K] };
/** The type of an object with these fields. */
export type InferFields<F extends Fields> = Flat<
  { readonly [K in keyof F as Exclude<K, NameOfOptional<F>>]: Infer<F[K]> } & {
    readonly [K in keyof F as Extract<K, NameOfOptional<F>>]?: Infer<F[K]>;
  }
>;

/** Paths of the fields of a value that its shape does not name. */
export const extraFields = (shape: Shape, value: unknown): readonly string[] =>
  shape.extra?.(value) ?? [];

const withExtra = <T>(check: Check, extra: (value: unknown) => readonly string[]): Shape<T> =>
  Object.assign(check, { extra });

const shape = <T>(isFit: (value: unknown) => boolean, expectation: string): Shape<T> => {
  const problem = `is not ${expectation}`;
  return (value) => (isFit(value) ? null : problem);
};

export const text: Shape<string> = shape((value) => typeof value === 'string', 'a text');
export const flag: Shape<boolean> = shape((value) => typeof value === 'boolean', 'true or false');
/** Of ids, quota, counts and Unix times. */
export const whole: Shape<number> = shape(Number.isSafeInteger, 'a whole number');
export const number: Shape<number> = shape(Number.isFinite, 'a number');
/** A text whose type names its values; a newer release may have added others. */
export const textOf = <T extends string>(): Shape<T> => text as Shape<T>;
/** The same for whole numbers. */
export const wholeOf = <T extends number>(): Shape<T> => whole as Shape<T>;
/** One of some texts, and no other. */
export const oneOf = <T extends string>(...texts: readonly T[]): Shape<T> =>
  shape((value) => (texts as readonly unknown[]).includes(value), 'one of the allowed texts');
/** A whole number of any size, as text. */
export const digits: Shape<string> = shape(
  (value) => typeof value === 'string' && /^-?\d{1,20}$/.test(value),
  'a whole number as text',
);
/** ISO-8601 */
export const instant: Shape<string> = shape(
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  'a time',
);
export const decimal: Shape<string> = shape(
  (value) => typeof value === 'string' && isDecimalText(value),
  'a decimal number as text',
);

/** As one text; a path within continues without a space. */
export const problemAt = (place: string, problem: string): string =>
  `${place}${/^[.[]/.test(problem) ? '' : ' '}${problem}`;

export const nullable = <T>(inner: Shape<T>): Shape<T | null> =>
  withExtra(
    (value) => (value === null ? null : inner(value)),
    (value) => (value === null ? [] : extraFields(inner, value)),
  );

export const optional = <T>(inner: Shape<T>): OptionalShape<T> =>
  Object.assign(
    withExtra<T>(
      (value) => (value === undefined ? null : inner(value)),
      (value) => (value === undefined ? [] : extraFields(inner, value)),
    ),
    { isOptional: true } as const,
  );
/** Present and true, or absent. */
export const optionalTrue = optional(flag as Shape<true>);

export const list = <T>(item: Shape<T>): Shape<readonly T[]> =>
  withExtra(
    (value) => {
      if (!Array.isArray(value)) return 'is not a list';
      for (const [index, each] of value.entries()) {
        const problem = item(each);
        if (problem !== null) return problemAt(`[${index}]`, problem);
      }
      return null;
    },
    (value) =>
      Array.isArray(value)
        ? value.flatMap((each, index) => extraFields(item, each).map((path) => `[${index}]${path}`))
        : [],
  );

export const pair =
  <A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly [A, B]> =>
  (value) => {
    if (!Array.isArray(value) || value.length !== 2) return 'is not a pair';
    return first(value[0]) ?? second(value[1]);
  };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Further fields are fine: a newer release may have added them. */
export const object = <F extends Fields>(fields: F): Shape<InferFields<F>> => {
  const names = Object.keys(fields);
  const shapes = new Map<string, Shape>(Object.entries(fields));
  const checks = [...shapes.values()];
  return withExtra(
    (value) => {
      if (!isRecord(value)) return 'is not an object';
      // By index: this runs for every event that is read.
      for (let at = 0; at < names.length; at += 1) {
        const name = names[at] ?? '';
        const problem = checks[at]?.(value[name]) ?? null;
        if (problem !== null) return problemAt(`.${name}`, problem);
      }
      return null;
    },
    (value) =>
      isRecord(value)
        ? Object.entries(value).flatMap(([name, field]) => {
            const shape = shapes.get(name);
            if (shape === undefined) return [`.${name}`];
            return extraFields(shape, field).map((path) => `.${name}${path}`);
          })
        : [],
  );
};

/** One of several objects; their field `kind` is the name of their shape. */
export const byKind = <S extends { readonly [K in keyof S]: Shape<Readonly<{ kind: K }>> }>(
  shapes: S,
): Shape<Infer<S[keyof S]>> => {
  const byName = new Map<unknown, Shape>(Object.entries(shapes));
  const shapeOf = (value: unknown) => byName.get(isRecord(value) ? value.kind : undefined);
  return withExtra(
    (value) => {
      const shape = shapeOf(value);
      return shape === undefined ? '.kind is unknown' : shape(value);
    },
    (value) => {
      const shape = shapeOf(value);
      return shape === undefined ? [] : extraFields(shape, value);
    },
  );
};
