import { optionTable } from '../../domain/option/table.ts';
import type { ListedRoute } from './all-routes.ts';

/** A repeatable stream of numbers from 0 to 1 (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;

const nested = (depth: number): unknown => {
  let value: unknown = 'core';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const oddValues: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => '',
  () => 'text',
  () => '0',
  () => '{"a":1}',
  () => '{"a":',
  () => '[]',
  () => '\u0000',
  () => 'a\u0000b',
  () => '\ud800',
  () => '\udfff tail',
  () => '%_\\\'";--',
  () => '<script>alert(1)</script>',
  () => '../../etc/passwd',
  () => '__proto__',
  () => '永'.repeat(40),
  () => 'x'.repeat(60_000),
  () => 0,
  () => -1,
  () => 1,
  () => 1.5,
  () => 7,
  () => 999_999_999,
  () => 2 ** 53,
  () => -(2 ** 53),
  () => 1e308,
  () => [],
  () => [1, 2, 3],
  () => ['a', null, {}],
  () => Array.from({ length: 2_000 }, (_, nth) => nth),
  () => ({}),
  () => ({ constructor: { prototype: {} } }),
  () => nested(300),
];

const fields = (
  'id ids action username password password2 original_password display_name email token code ' +
  'aff_code verification_code role group groups quota quota_seen status name key keys type models ' +
  'model_mapping status_code_mapping setting param_override other tag new_tag priority weight ' +
  'auto_ban copy_from value count remain_quota remain_quota_seen expired_time unlimited_quota ' +
  'model_limits model_limits_enabled allow_ips notify_type webhook_url webhook_secret ' +
  'quota_warning_threshold notification_email accept_unset_model_ratio_model user_id event_ids ' +
  'request_ids overrides usage delta corrects reason reference SelfUseModeEnabled'
).split(' ');

const queryNames = (
  'p page_size size keyword group model id_sort tag_mode status_only start_timestamp end_timestamp ' +
  'type username token_name model_name channel kind as_of format actor subject target_timestamp ' +
  'email code turnstile key default_time'
).split(' ');

/** A port without a listener: what the site is configured to call must not leave this machine. */
const deadEnd = 'http://127.0.0.1:1';
/** Options that would make the site call the outside, or count the test out. */
const leftAlone = /^(SMTP|Turnstile|Worker)/;
const optionKeys = Object.keys(optionTable).filter((key) => !leftAlone.test(key));

const bodyFor = (random: Random, { url }: ListedRoute): string => {
  if (random() < 0.08) return pick(random, ['', '{', 'null', '[]', '"text"', '\u0000', '{"a":1}}']);
  const body: Record<string, unknown> = {};
  const count = Math.floor(random() * 10);
  for (let nth = 0; nth < count; nth += 1) body[pick(random, fields)] = pick(random, oddValues)();
  if (url.startsWith('/api/option')) body.key = pick(random, optionKeys);
  if (url.startsWith('/api/channel')) body.base_url = deadEnd;
  return JSON.stringify(body);
};

const inPath = (random: Random): string =>
  pick(random, [
    '1',
    '7',
    '0',
    '-1',
    '1.5',
    'x',
    '%00',
    '%ff',
    '%F0%9F%92%A5',
    '9'.repeat(30),
    '%27',
  ]);

const inQuery = (random: Random): string => {
  const count = Math.floor(random() * 4);
  const parts = Array.from({ length: count }, () => {
    const value = pick(random, oddValues)();
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${pick(random, queryNames)}=${encodeURIComponent(text.slice(0, 2_000).replace(/\p{Surrogate}/gu, '?'))}`;
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

export type OddRequest = Readonly<{ method: string; path: string; body: string | null }>;

/** A request that no client of good will would send to this route. */
export const oddRequest = (random: Random, route: ListedRoute): OddRequest => ({
  method: route.method,
  path: route.url.replace(/:\w+/g, () => inPath(random)) + inQuery(random),
  body: route.method === 'GET' ? null : bodyFor(random, route),
});
