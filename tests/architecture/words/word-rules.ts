/** Where a word is looked for. `file`: the name of a file or folder, with its ending. */
export type Place = 'identifier' | 'comment' | 'file';
export type WordRule = Readonly<{
  place: Place;
  pattern: RegExp;
  /** The field's own word. */
  instead: string;
  /** Found by the rule, to prove that it finds. */
  planted: string;
  /** Looks alike and is allowed. */
  allowed: string;
}>;

/** The word as one of the words that a camel-case name is made of. */
const part = (words: string): RegExp =>
  new RegExp(`(?<![A-Za-z])(?:${words})(?![a-z])|(?<=[a-z0-9])(?:${capital(words)})(?![a-z])`);
const capital = (words: string): string =>
  words.replace(/(^|\|)([a-z])/g, (_, bar: string, letter: string) => bar + letter.toUpperCase());
/** The word in names that begin with it, as types do. */
const named = (words: string): RegExp =>
  new RegExp(`${part(words).source}|^(?:${capital(words)})(?![a-z])`);

type Texts = Readonly<{ instead: string; planted: string; allowed: string }>;
const name = (pattern: RegExp, texts: Texts): WordRule => ({
  place: 'identifier',
  pattern,
  ...texts,
});
const comment = (pattern: RegExp, texts: Texts): WordRule => ({
  place: 'comment',
  pattern,
  ...texts,
});
const file = (pattern: RegExp, texts: Texts): WordRule => ({ place: 'file', pattern, ...texts });

const identifierRules = {
  life: name(named('life|lives'), {
    instead: 'instance',
    planted: 'relayLife',
    allowed: 'lifetimeMs',
  }),
  wish: name(named('wish|wishes'), {
    instead: 'command payload, intent',
    planted: 'Wish',
    allowed: 'wishbone',
  }),
  books: name(named('books'), {
    instead: 'ledger, account state',
    planted: 'accountBooks',
    allowed: 'leaseBook',
  }),
  desk: name(named('desk'), {
    instead: 'CommandBatch, or what it is',
    planted: 'leaseDesk',
    allowed: 'desktop',
  }),
  lane: name(named('lane|lanes'), {
    instead: 'queue',
    planted: 'accountLanes',
    allowed: 'planet',
  }),
  look: name(/^looks?$/, { instead: 'no-op', planted: 'look', allowed: 'lookup' }),
  glance: name(named('glance'), {
    instead: 'summary',
    planted: 'glanceOf',
    allowed: 'summaryOf',
  }),
  'lease request': name(/^(Lease|Keeper)Asks?$/, {
    instead: 'lease request',
    planted: 'LeaseAsk',
    allowed: 'LeaseTask',
  }),
  door: name(named('door'), { instead: 'handler', planted: 'frontDoor', allowed: 'indoors' }),
  discretion: name(named('discretion|discreet'), {
    instead: 'redaction, redact',
    planted: 'discreetAnswer',
    allowed: 'discrete',
  }),
  voice: name(/^Voices?$|[a-z]Voices?$|^voiceOf/, {
    instead: 'encoder',
    planted: 'claudeVoice',
    allowed: 'voice',
  }),
  way: name(/^[wW]ays?$|^way(For|Of)$/, {
    instead: 'transport, resolveTransport',
    planted: 'wayFor',
    allowed: 'gateway',
  }),
  heard: name(named('heard|said|told'), {
    instead: 'detected, reported, produced, redacted',
    planted: 'ToldEvent',
    allowed: 'saidatu',
  }),
  pulse: name(named('pulse|beat|pace|paced'), {
    instead: 'ticker, timeouts, onTick',
    planted: 'Pulse',
    allowed: 'heartbeat',
  }),
  silence: name(named('silence'), {
    instead: 'idle timeout',
    planted: 'silenceMs',
    allowed: 'silentLogger',
  }),
  'set aside': name(/^(put|set|puts|sets)Aside/, {
    instead: 'dead letter',
    planted: 'putAside',
    allowed: 'UsageRecordSetAside',
  }),
  needless: name(/^needless|^giveUp$/, {
    instead: 'discard, release',
    planted: 'needless',
    allowed: 'giveQuota',
  }),
  purse: name(named('purse'), {
    instead: 'reservation',
    planted: 'sessionPurse',
    allowed: 'pursue',
  }),
  sing: name(named('sing|sung'), {
    instead: 'music task',
    planted: 'singOnce',
    allowed: 'usingSingle',
  }),
  foundation: name(named('foundation'), {
    instead: 'runtime, createRuntime',
    planted: 'layFoundation',
    allowed: 'found',
  }),
  'standing order': name(/standingOrder/i, {
    instead: 'subscription',
    planted: 'standingOrders',
    allowed: 'orderStanding',
  }),
  'most, usual': name(/^(most|usual|longest|least)[A-Z]/, {
    instead: 'max…, default…, min…',
    planted: 'mostTokens',
    allowed: 'almostDone',
  }),
  'one at a time': name(/^oneAtATime/, {
    instead: 'keyed mutex',
    planted: 'oneAtATime',
    allowed: 'one',
  }),
} as const;

const prose = 'name the component, value or caller';
const commentRules = {
  'nobody, somebody': comment(/\b(nobody|somebody|whoever)\b/i, {
    instead: prose,
    planted: '/** Nobody may read it. */',
    allowed: '/** No reader may see it. */',
  }),
  'who is behind': comment(/\bwho (is|are|lags) behind\b/i, {
    instead: 'lagging …',
    planted: '// who is behind the others saves trips',
    allowed: '// the number behind the dash',
  }),
  'the books': comment(/\b(the|its|their|of|our) books\b/i, {
    instead: 'ledger, account state',
    planted: '/** Closes the books. */',
    allowed: '/** Sells books. */',
  }),
  'wish, purse': comment(/\b(wish(es)?|purse|glance|discretion|discreet)\b/i, {
    instead: 'command payload, reservation, summary, redaction',
    planted: '/** The wish of a caller. */',
    allowed: '/** The command of a caller. */',
  }),
  lane: comment(/\blanes?\b/i, {
    instead: 'queue',
    planted: '/** One lane for each account. */',
    allowed: '/** One plane. */',
  }),
  'standing order in prose': comment(/\bstanding orders?\b/i, {
    instead: 'subscription',
    planted: '/** A standing order. */',
    allowed: '/** Orders of standing value. */',
  }),
} as const;

const fileRules = {
  'words.ts': file(/^words(\.|-|$)/, {
    instead: 'finish-reasons, usage-mapping',
    planted: 'words.ts',
    allowed: 'passwords.ts',
  }),
  'things.ts': file(/^things\b/, {
    instead: 'audit-subjects',
    planted: 'things.ts',
    allowed: 'nothings.ts',
  }),
  'slips.ts': file(/^slips\b/, {
    instead: 'mismatches',
    planted: 'slips.ts',
    allowed: 'ellipsis.ts',
  }),
  'one-at-a-time.ts': file(/^one-at-a-time/, {
    instead: 'keyed-mutex',
    planted: 'one-at-a-time.ts',
    allowed: 'one.ts',
  }),
  'draw.ts, sing.ts': file(/^(draw|sing)\.ts$/, {
    instead: 'image-task, music-task',
    planted: 'sing.ts',
    allowed: 'drawing.ts',
  }),
  'ends.ts': file(/^(ends|heard|voice|pulse|pace|discretion|purse|desk|glance|door|spoken)\.ts$/, {
    instead: 'the word that its names use now',
    planted: 'door.ts',
    allowed: 'doorbell.ts',
  }),
  'set-aside.ts': file(/^(set|put)-aside/, {
    instead: 'dead-letter',
    planted: 'set-aside.ts',
    allowed: 'aside.ts',
  }),
  'books.ts': file(/(^|-)(books|lanes|wish|life|lives|slips)(\.|-)/, {
    instead: 'ledger, queue, payload, instance, mismatches',
    planted: 'account-lanes.ts',
    allowed: 'lease-book.ts',
  }),
  'earlier, later': file(/^(earlier|later|hosting)-|^translating-[a-z]\./, {
    instead: 'one file for each provider',
    planted: 'later-providers.ts',
    allowed: 'providers.ts',
  }),
} as const;

export const wordRules: Readonly<Record<string, WordRule>> = {
  ...identifierRules,
  ...commentRules,
  ...fileRules,
};
