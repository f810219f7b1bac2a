/** Rows of the table of known faults: what is lost, slow or unsafe on its way. */
export const trafficFaults = [
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
    'relay/exchange/preservation/reply-ends.spec.ts',
    'an end by length',
  ],
  [
    'system blocks, mixed content and all but the first tool call are lost',
    'relay/exchange/preservation/request-tools.spec.ts',
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
    'relay/exchange/request-limit.unit.spec.ts',
    'counts only what succeeded against the limit of successes',
  ],
  [
    'the limiter is not atomic',
    'relay/exchange/request-limit.unit.spec.ts',
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
    "stop at what is the caller's own mistake, and with RetryTimes 0",
  ],
  [
    'disabled channels keep getting traffic',
    'relay/routing/routing.unit.spec.ts',
    'a disabled channel gets no request from the next moment on',
  ],
  [
    'a stream for Messages loses its first words and its end',
    'relay/ingress/native-protocols.unit.spec.ts',
    'get events of a message from a channel of OpenAI',
  ],
  [
    'a model that is unknown is told with HTTP 200',
    'relay/known-faults.unit.spec.ts',
    'a model that is not there is not there for who asks about it',
  ],
  [
    'the limiter lets through what it refused',
    'relay/exchange/request-limit.unit.spec.ts',
    'refuses beyond the total, over all keys of a user, and says when to come back',
  ],
  [
    'an edit takes a minute',
    'relay/ingress/door.unit.spec.ts',
    '%s is refused at once when the token changes',
  ],
  [
    'a channel without a group breaks the rebuild of routes',
    'relay/routing/routing.unit.spec.ts',
    'a channel of no group, or of an odd one, hurts nobody',
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
  [
    'every chunk waits for the next one',
    'relay/known-faults-work.unit.spec.ts',
    'a piece of a stream is passed on when it comes, not with the next one',
  ],
  [
    'rows are read and written on the way of a request',
    'relay/admission/lease-book.unit.spec.ts',
    'the first request of a token asks the keeper, the next ones are funded without asking',
  ],
  [
    'words are counted that the provider counts',
    'relay/known-faults-work.unit.spec.ts',
    'the words of a stream are counted where its provider reports nothing, and only there',
  ],
  [
    'frames of a session are counted and logged one by one',
    'relay/known-faults-work.unit.spec.ts',
    'the frames of a session are neither counted one by one nor logged',
  ],
  [
    'pictures are fetched to be counted',
    'relay/known-faults-work.unit.spec.ts',
    'a picture by address is left to a provider that fetches it itself',
  ],
  [
    'pictures are fetched again to be translated',
    'relay/providers/anthropic/chat.unit.spec.ts',
    'a picture by address is fetched once, within a bound and from public addresses only',
  ],
  [
    'a picture that does not come is waited for',
    'relay/upstream/provider-io.unit.spec.ts',
    'who says nothing is waited for no longer than was said',
  ],
  [
    'connections to providers are not used again',
    'relay/known-faults-work.unit.spec.ts',
    'connections to a provider are used again, as many as there were at once',
  ],
  [
    'every call through a proxy connects anew',
    'relay/known-faults-work.unit.spec.ts',
    'calls through a proxy share its tunnel',
  ],
  [
    'tokens that are gone stay in memory',
    'relay/feeds/token-directory.unit.spec.ts',
    'tokens that are gone are not kept',
  ],
  [
    'guessed keys fill the memory',
    'relay/feeds/token-directory.unit.spec.ts',
    'keys that nobody knows are remembered for a moment, and not beyond a number',
  ],
  [
    'guessed keys flood what is behind',
    'relay/feeds/token-directory.unit.spec.ts',
    'guesses that come at once ask once for each key, and for so many keys',
  ],
  [
    'counters of the limiter fill the memory',
    'infra/bus/memory/memory-key-value.unit.spec.ts',
    'the oldest entries go first when the bucket is full',
  ],
  [
    'access tokens of providers fill the memory',
    'relay/upstream/provider-io.unit.spec.ts',
    'of values without number so many are kept, and the oldest is made again',
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
    '%s is not on the open internet and is refused',
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
    'a dead key is reported when the operator wants that, a phrase of the caller is not',
  ],
  [
    'an empty balance of the caller disables a channel',
    'relay/exchange/balance.unit.spec.ts',
    'that does not cover the estimate: refused with 403, nothing started',
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
    'a busy upstream is told without naming it, a connection error without its address',
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
  [
    'half a record reads as banned',
    'tests/integration/bus/feed-contract.ts',
    'the newest position wins, however late an older entry comes',
  ],
  [
    'keys of channels stand in the log of the process',
    'relay/known-faults-work.unit.spec.ts',
    'the key of a channel reaches no log line, whatever becomes of its calls',
  ],
  [
    'credentials stand in the log of the process',
    'infra/logging/create-logger.unit.spec.ts',
    'credentials never reach a log line, at any usual depth',
  ],
  [
    'the log of a key is served whole',
    'projections/token-list/billing.int.spec.ts',
    'a key reads its newest thousand entries at once, and no more',
  ],
  [
    'keys travel in addresses',
    'projections/token-list/billing.int.spec.ts',
    'a key in an address opens nothing, because addresses stand in logs',
  ],
  [
    'providers tell callers the key that they refuse',
    'relay/known-faults.unit.spec.ts',
    'the key of a channel in the words of its provider is hidden, status %i',
  ],
] as const;
