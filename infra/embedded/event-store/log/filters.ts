import type { LogRecord } from '../types.ts';

export type Filter = Readonly<{
  matches: (record: LogRecord) => boolean;
  /** A checkpoint is due after so many events were filtered. */
  checkpointInterval: number;
}>;

export type FilterSpec = Readonly<{
  on: 'stream' | 'type';
  prefixes: readonly string[];
  regex: string;
  checkpointInterval: number;
}>;

/** What clients send for "no system events"; recognised to spare a regular expression per event. */
const isExcludeSystem = (regex: string): boolean =>
  regex === '^[^\\$].*' || regex === '^[^$].*' || regex === '/^[^\\$].*/';

const textTest = (spec: FilterSpec): ((text: string) => boolean) => {
  const { prefixes, regex } = spec;
  if (prefixes.length > 0) return (text) => prefixes.some((prefix) => text.startsWith(prefix));
  if (isExcludeSystem(regex)) return (text) => text !== '' && !text.startsWith('$');
  const expression = new RegExp(regex, 'u');
  return (text) => expression.test(text);
};

/** @throws SyntaxError when the regular expression is none */
export const createFilter = (spec: FilterSpec): Filter => {
  const test = textTest(spec);
  return {
    matches: spec.on === 'stream' ? ({ stream }) => test(stream) : ({ type }) => test(type),
    checkpointInterval: spec.checkpointInterval,
  };
};
