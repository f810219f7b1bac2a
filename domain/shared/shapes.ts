import type { Event } from './event.ts';
import { type Fields, object, type Shape } from './shape.ts';

/** What the data of each event of a union has to look like. */
export type Shapes<E extends Event> = {
  readonly [Type in E['type']]: Shape<Extract<E, { type: Type }>['data']>;
};

/** The shape of one event's data, with every field of it. */
export const dataOf = <E extends Event<string, object>>(
  fields: Fields<E['data']>,
): Shape<E['data']> => object<E['data']>(fields);
