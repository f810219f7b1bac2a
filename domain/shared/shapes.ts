import type { Event } from './event.ts';
import type { WithPersonal } from './personal.ts';
import type { WithReason } from './reason.ts';
import { type Fields, object, optional, type Shape, text } from './shape.ts';

/** What the data of each event of a union has to look like. */
export type Shapes<E extends Event> = {
  readonly [Type in E['type']]: Shape<Extract<E, { type: Type }>['data']>;
};

/** The shape of one event's data, with every field of it. */
export const dataOf = <E extends Event<string, object>>(
  fields: Fields<E['data']>,
): Shape<E['data']> => object<E['data']>(fields);

/** The field of every event that says something about a person. */
export const withPersonal: Fields<WithPersonal> = { personal: optional(text) };

/** The field of every event that may say why. */
export const withReason: Fields<WithReason> = { reason: optional(text) };
