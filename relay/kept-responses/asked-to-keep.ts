import type { TextCall } from '../protocol/calls.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { isObject, parseJson } from '../protocol/json.ts';
import { scanMembers } from '../protocol/scan-body.ts';
import { valueText } from '../protocol/splice.ts';

const letterF = 0x66;

/** Responses are kept unless their caller disables it. */
export const isKeptByRequest = ({ body, scan }: Pick<TextCall, 'body' | 'scan'>): boolean => {
  const { store } = scan.members;
  return store === undefined || body[store.valueStart] !== letterF;
};

/** The input, as items. */
export const inputItems = (body: Buffer): readonly JsonObject[] => {
  const member = scanMembers(body)?.get('input');
  const input = member === undefined ? null : parseJson(valueText(body, member));
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return Array.isArray(input) ? input.filter(isObject) : [];
};
