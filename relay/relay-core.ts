import type { RequestId } from '../domain/shared/ids.ts';
import type { ClientAddress } from '../infra/web/client-address.ts';
import type { RateLimiter } from './admission/rate-limit.ts';
import type { RelayDeps } from './deps.ts';
import type { Pace } from './exchange/pace.ts';
import type { AnswerBounds } from './exchange/pulse.ts';
import type { AccountDirectory } from './feeds/accounts.ts';
import type { OptionBook } from './feeds/options.ts';
import type { TokenDirectory } from './feeds/token-directory.ts';
import type { Counting } from './metering/counting.ts';
import type { RelayMeters } from './metering/meters.ts';
import type { Offload } from './offload/offload.ts';
import type { ProviderIo } from './providers/translate.ts';
import type { ChannelDirectory } from './routing/routing-table.ts';
import type { Upstream } from './upstream/upstream.ts';

/** What every request works with. All of it is in memory. */
export type RelayCore = RelayDeps &
  Readonly<{
    tokens: TokenDirectory;
    accounts: AccountDirectory;
    options: OptionBook;
    channels: ChannelDirectory;
    upstream: Upstream;
    /** What translations may do outside, through the proxy of a channel ("" for none). */
    providerIo: (proxy: string) => ProviderIo;
    meters: RelayMeters;
    rateLimiter: RateLimiter;
    /** Work on large bodies, done by other threads. */
    offload: Offload;
    counting: Counting;
    /** Looks after requests in flight. */
    pace: Pace;
    answerBounds: AnswerBounds;
    clientAddress: ClientAddress;
    nextRequestId: (nowMs: number) => RequestId;
  }>;
