import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt, objectsAt, textAt } from '../../protocol/json.ts';

/** Names of functions as the provider takes them, and back again. */
export type ToolNames = Readonly<{ up: (name: string) => string; down: (name: string) => string }>;

export type NameRule = Readonly<{ allowed: RegExp; length: number }>;

const same: ToolNames = { up: (name) => name, down: (name) => name };

const tidy = (name: string, { allowed, length }: NameRule): string =>
  [...name]
    .map((letter) => (allowed.test(letter) ? letter : '_'))
    .join('')
    .slice(0, length) || '_';

const distinct = (wanted: string, taken: ReadonlySet<string>, length: number): string => {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) {
    name = `${wanted.slice(0, length - 1 - String(count).length)}_${count}`;
  }
  return name;
};

/** Every name that a conversation uses: of tools, of calls and of a forced choice. */
const namesIn = (body: JsonObject): readonly string[] => {
  const tools = [...objectsAt(body, 'tools'), ...objectsAt(body, 'functions')];
  const called = objectsAt(body, 'messages').flatMap((message) => objectsAt(message, 'tool_calls'));
  return [...tools, ...called]
    .map((tool) => textAt(objectAt(tool, 'function'), 'name') || textAt(tool, 'name'))
    .filter((name) => name !== '');
};

/** The same for the same body, so that a reply can be read back without remembering the call. */
export const toolNames = (body: JsonObject, rule: NameRule): ToolNames => {
  const odd = namesIn(body).filter((name) => tidy(name, rule) !== name);
  if (odd.length === 0) return same;
  const taken = new Set(namesIn(body).filter((name) => tidy(name, rule) === name));
  const up = new Map<string, string>();
  for (const name of odd) {
    if (up.has(name)) continue;
    const other = distinct(tidy(name, rule), taken, rule.length);
    taken.add(other);
    up.set(name, other);
  }
  const down = new Map([...up].map(([name, other]) => [other, name] as const));
  return { up: (name) => up.get(name) ?? name, down: (name) => down.get(name) ?? name };
};
