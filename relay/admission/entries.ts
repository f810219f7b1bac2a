/**
 * The steps of admission, in their order: usage can be recorded; the key (or session) and its owner; the
 * client address; requests of the user in a window; the body; the group; the model; a channel; sensitive
 * words; a price; limits of calls; quota. infra/reference/protocols.md, section 4.
 */
export const steps = [
  ...(['recordable', 'identity', 'address', 'requests', 'body', 'group', 'model'] as const),
  ...(['channel', 'words', 'price', 'calls', 'quota'] as const),
] as const;
export type Step = (typeof steps)[number];

/** true: the step applies; a text: why it does not. */
type Rule = true | string;
type Row = Readonly<Record<Step, Rule>>;

const charged = {
  recordable: true,
  identity: true,
  address: true,
  requests: true,
  body: true,
  group: true,
  model: true,
  channel: true,
  words: true,
  price: true,
  calls: true,
  quota: true,
} as const satisfies Row;

const isFree = 'nothing is charged';
const isRead = 'it uses earlier work; no model works for it';
const hasNoBody = 'it has no body';

/** Reads, lists, cancels or removes what was made before. */
const earlier = {
  recordable: isFree,
  identity: true,
  address: true,
  requests: isRead,
  body: hasNoBody,
  group: 'the work has its own group',
  model: 'the work was made when the key had its model',
  channel: 'the channel of the work serves it',
  words: isRead,
  price: isFree,
  calls: isRead,
  quota: isFree,
} as const satisfies Row;

const cache = { ...earlier, requests: true } as const satisfies Row;

/** Addresses that only the gateway gives out. */
const open = {
  ...earlier,
  identity: 'its address is a secret that the gateway made',
  address: 'it is called without a key',
} as const satisfies Row;

const list = {
  ...earlier,
  requests: 'lists take no work of a model',
  group: true,
  model: 'the list has the models of the key alone',
  channel: 'nothing is sent to a provider',
} as const satisfies Row;

const atOpening = 'each response on the connection is a separate call';
const refusedAnyway = 'it is refused whatever it holds';
const unserved = {
  ...earlier,
  group: refusedAnyway,
  model: refusedAnyway,
  channel: refusedAnyway,
} as const satisfies Row;

const inFrames = 'frames are checked as they arrive';

/** Which step applies to which entry of the relay, and why another does not. */
export const entries = {
  text: charged,
  playground: {
    ...charged,
    address: 'a session of the console has no address list',
    model: 'a session of the console has no model list',
  },
  'count-tokens': {
    ...charged,
    recordable: isFree,
    channel: 'the gateway counts where no channel does',
    price: isFree,
    quota: isFree,
  },
  models: list,
  model: list,
  response: { ...earlier, requests: true },
  conversation: {
    ...earlier,
    requests: true,
    body: true,
    group: true,
    model: 'a conversation is of no model',
    channel: 'the gateway keeps it',
    words: 'its items are checked with the response that they become part of',
    calls: true,
  },
  realtime: { ...charged, body: inFrames },
  live: { ...charged, body: inFrames },
  'response-socket': {
    ...charged,
    recordable: atOpening,
    requests: atOpening,
    body: atOpening,
    group: atOpening,
    model: atOpening,
    channel: atOpening,
    words: atOpening,
    price: atOpening,
    calls: atOpening,
    quota: atOpening,
  },
  'image-task': charged,
  drawing: earlier,
  drawings: { ...earlier, body: true },
  'drawing-seed': earlier,
  'drawing-image': open,
  'drawing-notify': { ...open, body: true },
  'music-task': charged,
  song: earlier,
  songs: { ...earlier, body: true },
  'video-order': charged,
  videos: earlier,
  video: earlier,
  'video-content': earlier,
  'video-removal': earlier,
  'file-upload': { ...charged, price: 'a file is free; its batch is charged', quota: isFree },
  files: earlier,
  file: earlier,
  'file-content': earlier,
  'file-removal': earlier,
  'batch-order': charged,
  batches: earlier,
  batch: earlier,
  'batch-cancel': earlier,
  'batch-results': earlier,
  'batch-removal': earlier,
  'cache-order': charged,
  caches: cache,
  cache,
  'cache-change': { ...cache, body: true },
  'cache-removal': cache,
  'needs-websocket': unserved,
  'not-implemented': unserved,
} as const satisfies Readonly<Record<string, Row>>;

/** How a call enters the relay. */
export type Entry = keyof typeof entries;

export const applies = (entry: Entry, step: Step): boolean => entries[entry][step] === true;
