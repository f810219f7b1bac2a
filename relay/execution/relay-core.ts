import type { RequestId } from '../../domain/shared/ids.ts';
import type { CallLimiter } from '../admission/call-limits/call-limiter.ts';
import type { AdmissionDeps } from '../admission/deps.ts';
import type { ExamineJobs } from '../admission/examine-body.ts';
import type { RateLimiter } from '../admission/rate-limit.ts';
import type { RefusalCounter } from '../admission/refusal-counter.ts';
import type { DeliveryDeps } from '../delivery/deps.ts';
import type { AnswerJobs } from '../delivery/read-answer.ts';
import type { ChannelDirectory } from '../feeds/channel-directory.ts';
import type { Conversations } from '../kept-responses/conversations.ts';
import type { Offload } from '../offload/offload.ts';
import type { CoolDowns } from '../routing/cool-down.ts';
import type { CountingJobs } from '../settlement/counting.ts';
import type { openDownload } from '../upstream/download.ts';
import type { ProviderIo } from '../upstream/types.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { RelayDeps } from './deps.ts';
import type { PrepareJobs } from './prepare.ts';

export type RelayJobs = CountingJobs & ExamineJobs & AnswerJobs & PrepareJobs;

/** What every request works with, put together of what each stage needs. All of it is in memory. */
export type RelayCore = RelayDeps &
  AdmissionDeps &
  DeliveryDeps &
  Readonly<{
    channels: ChannelDirectory;
    coolDowns: CoolDowns;
    upstream: Upstream;
    /** What translations may do outside, through the proxy of a channel ("" for none). */
    providerIo: (proxy: string) => ProviderIo;
    /** Files of providers, which are streamed. */
    openDownload: typeof openDownload;
    /** Conversations of callers, next to their responses. */
    conversations: Conversations;
    rateLimiter: RateLimiter;
    callLimiter: CallLimiter;
    refusals: RefusalCounter;
    /** Work on large bodies, done by other threads. */
    offload: Offload<RelayJobs>;
    nextRequestId: (nowMs: number) => RequestId;
  }>;
