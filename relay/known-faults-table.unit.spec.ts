import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What goes wrong in gateways of this kind, the spec that shows it does not here, and its words. */
const faults: readonly (readonly [fault: string, file: string, title: string])[] = [
  // Money
  [
    'parallel requests overspend user and token',
    'command-api/keeper/create-keeper.unit.spec.ts',
    'a hundred asks at the same moment share what there is, to the unit',
  ],
  [
    'a crash or a burst makes usage free',
    'tests/chaos/kill-nine.chaos.spec.ts',
    'after kill -9 of everything under 200 concurrent requests the books add up',
  ],
  [
    'no journal of requests in flight',
    'command-api/keeper/create-keeper.unit.spec.ts',
    'its open requests are abandoned, and a record that comes late is charged once',
  ],
  [
    'a reservation is lost on connection and conversion errors',
    'relay/exchange/outcomes.unit.spec.ts',
    'expect(relay.leases.open).toBe(0)',
  ],
  [
    'keys that begin with s or k are not found',
    'relay/known-faults.unit.spec.ts',
    'keys that begin with any letter are found',
  ],
  [
    'a session is charged its reservation on top of its answers',
    'relay/realtime/realtime.unit.spec.ts',
    'each answer of a session is a request of its own, charged once by what was reported',
  ],
  [
    'sessions that are paid by the call are free',
    'relay/realtime/transcript.unit.spec.ts',
    'a session that is paid by the call is paid once, its transcripts included',
  ],
  [
    'cached tokens of a session get no discount',
    'relay/realtime/realtime.unit.spec.ts',
    'Text 20 fresh and 20 cached at half',
  ],
  [
    'images priced by ratio are thousands of times too cheap',
    'relay/ingress/media.unit.spec.ts',
    'paid by ratio cost a fortieth of a cent for each, not a token',
  ],
  [
    "the token's budget is not checked for images, drawing and music",
    'domain/account/decider.unit.spec.ts',
    'a token spends no more than its own budget',
  ],
  [
    'a drawing is made without money',
    'relay/tasks/drawing.unit.spec.ts',
    'without money nothing is asked of the provider',
  ],
  [
    'the number of images may be negative or endless',
    'relay/ingress/media.unit.spec.ts',
    'are refused with %s',
  ],
  [
    'a huge limit overflows the reservation',
    'relay/known-faults.unit.spec.ts',
    'a limit beyond all measure on %s reserves much instead of nothing',
  ],
  [
    'Claude through another format loses cache charges',
    'relay/exchange/translated.unit.spec.ts',
    'a chat goes to a Claude channel in its own words, and is billed by its own report',
  ],
  [
    'embeddings and rankings without usage are free',
    'relay/known-faults.unit.spec.ts',
    'embeddings whose provider names the total alone are paid',
  ],
  [
    'rankings are free',
    'relay/ingress/other-operations.unit.spec.ts',
    'a ranking is paid by its input, and needs a query and documents',
  ],
  [
    'streams without usage, and thoughts, are free',
    'relay/exchange/hostile.unit.spec.ts',
    'usage that is missing or nonsense is counted',
  ],
  [
    'half units round to nothing',
    'domain/pricing/price.unit.spec.ts',
    'rounds a half unit up, once, at the end',
  ],
  [
    'free groups still pay',
    'domain/pricing/price.unit.spec.ts',
    'is free in a free group, and with a free model',
  ],
  [
    'an error in a stream makes what was said free, and a retry answers twice',
    'relay/exchange/hostile.unit.spec.ts',
    'a connection that breaks in the middle is told, and paid by what came',
  ],
  [
    'a fault in the gateway skips the return of the reservation',
    'relay/exchange/outcomes.unit.spec.ts',
    'a fault in our own code is one failed outcome and no trace of the stack',
  ],
  [
    'a call that a provider does not offer breaks the process',
    'relay/known-faults.unit.spec.ts',
    'a kind of call that a provider does not offer costs nothing and breaks nothing',
  ],
  [
    'a failed task is refunded twice, or never',
    'command-api/task/task-money.unit.spec.ts',
    'a task that fails is paid back once, however often that is said',
  ],
  [
    'a crash between failure and refund loses it',
    'command-api/task/task-money.unit.spec.ts',
    'a crash between the failure and the money heals at the next start',
  ],
  [
    'a task is not charged when its row cannot be written',
    'command-api/task/task-money.unit.spec.ts',
    'a task is known while its provider thinks, and charged when it is taken',
  ],
  [
    'refunds ignore the token and the counters',
    'domain/account/decider.unit.spec.ts',
    'a refund gives back balance, use and token budget',
  ],
  [
    'batched counters are lost at a stop',
    'tests/chaos/cluster.chaos.spec.ts',
    'whatever is killed under load, every request is in the books exactly once',
  ],
  [
    'saving a profile writes a stale balance',
    'command-api/user/routes.unit.spec.ts',
    'an edit changes what it names and leaves the rest',
  ],
  [
    'saving a token writes a stale budget',
    'command-api/token/routes.unit.spec.ts',
    'a form that sends every field back leaves the budget alone',
  ],
  [
    'only the last tool is counted',
    'relay/known-faults.unit.spec.ts',
    'every tool of a prompt is counted',
  ],
  [
    'the reservation ignores prompt and output price',
    'domain/pricing/quote.unit.spec.ts',
    'is never below the bill of a call that keeps to it',
  ],
  [
    'sound is priced by one prefix of names',
    'domain/pricing/billing-table.unit.spec.ts',
    '$kind ($model), in group $group',
  ],
  [
    'declared tools are counted as calls',
    'domain/pricing/quote.unit.spec.ts',
    'pays for no tool that the request did not ask for',
  ],
  [
    'a price map that is no JSON empties the prices',
    'domain/pricing/quote.unit.spec.ts',
    'is refused when the stored map is broken',
  ],
  [
    'an upstream that lies credits somebody',
    'relay/exchange/hostile.unit.spec.ts',
    'usage that is absurd is cut to what the call can have used',
  ],
  // Correctness
  [
    'unknown members, zeros, tool choice and stop words are dropped',
    'relay/exchange/preservation/preservation.unit.spec.ts',
    '%s arrive or have a reason',
  ],
  [
    'callers of Messages get errors of OpenAI',
    'relay/ingress/native-protocols.unit.spec.ts',
    'hear of errors in their own shape, from the first check on',
  ],
  [
    'finish reasons are passed on untranslated',
    'relay/exchange/preservation/reply-features.spec.ts',
    'an end by length',
  ],
  [
    'system blocks, mixed content and all but the first tool call are lost',
    'relay/exchange/preservation/request-features.spec.ts',
    'two tool calls and their results',
  ],
  [
    'the length of the provider is copied over a rewritten body',
    'relay/known-faults.unit.spec.ts',
    'an answer that was rewritten says its own length, and no header of the provider',
  ],
  [
    'a timeout, a break and an end look the same',
    'relay/exchange/hostile.unit.spec.ts',
    'silence before the head, and silence behind it, end with a 504',
  ],
  [
    'errors come as HTTP 200',
    'relay/exchange/hostile.unit.spec.ts',
    'an error in a 200 is an error that nobody pays',
  ],
  [
    'the limit of successes counts failures',
    'relay/exchange/behaviours.unit.spec.ts',
    'counts only what succeeded against the limit of successes',
  ],
  [
    'the limiter is not atomic',
    'relay/exchange/behaviours.unit.spec.ts',
    'lets no more through than it says when many ask at the same moment',
  ],
  [
    'a retry takes the same channel, and hides the cause',
    'relay/routing/routing.unit.spec.ts',
    'never take the same channel twice, and the last error is told',
  ],
  [
    'mistakes of the client are retried',
    'relay/routing/routing.unit.spec.ts',
    "stop at what is the caller's own mistake",
  ],
  [
    'disabled channels keep getting traffic',
    'relay/routing/routing.unit.spec.ts',
    'a disabled channel gets no request from the next moment on',
  ],
  // Latency and memory
  [
    'large buffers, and every chunk kept',
    'relay/exchange/hostile.unit.spec.ts',
    'one line of 50 MB is borne',
  ],
  [
    'bodies and what they unpack to are unbounded',
    'relay/known-faults.unit.spec.ts',
    'a body that unpacks beyond the limit is refused before it fills the memory',
  ],
  [
    'the word list is compiled for every text',
    'relay/admission/word-matcher.unit.spec.ts',
    'are found wherever they stand, as a plain search finds them',
  ],
  ['nothing bounds a stream', 'relay/exchange/hostile.unit.spec.ts', 'an answer without end ends'],
  [
    'a client who leaves does not stop the provider',
    'relay/exchange/outcomes.unit.spec.ts',
    'a stream that does not end within the bound is billed by what was received',
  ],
  [
    'a slow client fills the memory',
    'relay/ingress/door.unit.spec.ts',
    'a slow client holds the provider back instead of filling the memory',
  ],
  // Security
  [
    'any key holder writes tasks by the call-back',
    'relay/tasks/attacks.unit.spec.ts',
    'for a task is refused %s',
  ],
  [
    'stored picture addresses are fetched blindly',
    'relay/tasks/attacks.unit.spec.ts',
    'is not fetched from %s',
  ],
  [
    'picture addresses of callers reach inside',
    'relay/exchange/translated.unit.spec.ts',
    'a picture from a private address is not fetched for a caller',
  ],
  [
    'webhooks reach inside',
    'infra/net/create-webhooks.unit.spec.ts',
    'is not on the open internet and is refused',
  ],
  [
    'forwarded addresses are believed',
    'relay/ingress/door.unit.spec.ts',
    'behind a trusted proxy the forwarded address counts, and forged hops do not',
  ],
  [
    'an address list that nobody can read lets everybody in',
    'relay/known-faults.unit.spec.ts',
    'a list of addresses that nobody can read lets nobody in',
  ],
  [
    'a phrase of the caller switches a channel off',
    'relay/routing/routing.unit.spec.ts',
    'a phrase of the caller is not',
  ],
  [
    'an empty balance of the caller disables a channel',
    'relay/exchange/balance.unit.spec.ts',
    'refused with 403, nothing started',
  ],
  [
    'deleted keys and banned users stay valid',
    'relay/ingress/door.unit.spec.ts',
    'a banned owner is refused, a deleted token is unknown',
  ],
  [
    'keys stand in the clear',
    'command-api/token/routes.unit.spec.ts',
    'the key stands in the log sealed and hashed only, and is shown to its owner',
  ],
  [
    'internal texts reach clients',
    'relay/routing/routing.unit.spec.ts',
    'a connection error without its address',
  ],
  [
    'pinned channels open other models',
    'relay/known-faults.unit.spec.ts',
    'a pinned channel does not open models that the key may not use',
  ],
  [
    'role and group of a session are old',
    'relay/ingress/door.unit.spec.ts',
    'serves who is signed in, in the group picked, and charges the account alone',
  ],
  [
    'any site may use the cookies of a person',
    'relay/known-faults.unit.spec.ts',
    'any site may ask with a key, and none with the cookies of a person',
  ],
];

const root = new URL('..', import.meta.url);

test.each(faults)('%s: not here', (_fault, file, title) => {
  expect(readFileSync(new URL(file, root), 'utf8')).toContain(title);
});
