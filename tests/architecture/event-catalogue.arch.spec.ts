import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventCatalogue } from '../../domain/events.ts';

const root = new URL('../..', import.meta.url).pathname;
const textsOf = (rooms: readonly string[], left: RegExp): readonly string[] =>
  rooms
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(room, path),
      ),
    )
    .filter((path) => path.endsWith('.ts') && !left.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'));
const left = /\.spec\.ts$|infra\/(benchmarks|verify|embedded)\/|\/catalogue\.ts$/;

const sources = textsOf(['domain', 'command-api', 'infra'], left);

/** `type: 'X'`, or a branch of `? 'X' : 'Y'`, makes an event; in a type `}>` or `|` follows. */
const made = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/(?:\btype: | [?:] )'([A-Z]\w+)'(?!\s*(?:\}>|\|))/g)].map(([, type]) => type),
  ),
);

test('each event type of the catalogue is made by a source of the product', () => {
  expect(Object.keys(eventCatalogue).filter((type) => !made.has(type))).toEqual([]);
});

test('each command is sent from outside the domain', () => {
  const commands = textsOf(['domain'], /\.spec\.ts$/).flatMap((text) =>
    [...text.matchAll(/\bCommand<\s*'(\w+)'/g)].map(([, type = '']) => type),
  );
  const senders = textsOf(['command-api', 'infra'], left).join('\n');
  expect(commands.length).toBeGreaterThan(70);
  expect(commands.filter((type) => !senders.includes(`'${type}'`))).toEqual([]);
});
