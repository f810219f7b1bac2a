/** Rows of the table of known faults: what makes books of gateways wrong. */
export const moneyFaults = [
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
    'before the first word: an error with a status, and nothing is charged',
  ],
  [
    'keys that begin with s or k are not found',
    'relay/known-faults.unit.spec.ts',
    'keys that begin with any letter are found, whatever stands before them',
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
    'each answer of a session is a request of its own, charged once by what was reported',
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
  [
    'a refused turn is booked twice',
    'relay/realtime/realtime.unit.spec.ts',
    'a balance that is used up ends the session after the answer that used it',
  ],
  [
    'the words of Dify are counted by the name of the model',
    'relay/known-faults.unit.spec.ts',
    'words of Dify without a report are counted, streamed %s',
  ],
  [
    'what was spent comes back when a cache is loaded anew',
    'relay/admission/lease-book.unit.spec.ts',
    'a lease that the keeper had forgotten holds no more than the new grant',
  ],
  [
    'a sound is measured after the call',
    'relay/known-faults.unit.spec.ts',
    'a sound is measured before its provider is asked, so that who cannot pay is refused',
  ],
  [
    'a sound that cannot be measured is free, and sent again',
    'relay/known-faults.unit.spec.ts',
    'a sound that nobody can measure is paid by its size and sent once',
  ],
  [
    'a switch of a channel writes its stale counters and settings',
    'projections/read-models.int.spec.ts',
    'a channel that is switched keeps what was counted and edited meanwhile',
  ],
  [
    'searches of files are free in streams',
    'relay/known-faults.unit.spec.ts',
    'searches are paid as made, not as declared, streamed %s',
  ],
] as const;
