import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { LeaseBook } from '../admission/lease-book.ts';
import type { OptionBook } from '../feeds/options.ts';
import type { KeptResponses } from '../kept-responses/kept-responses.ts';
import type { Offload } from '../offload/offload.ts';
import type { ChargeDeps } from '../settlement/charge.ts';
import type { RelayMeters } from '../settlement/meters.ts';
import type { AnswerBounds } from './answer-timeouts.ts';
import type { AnswerJobs } from './read-answer.ts';
import type { Ticker } from './ticker.ts';

/** What bringing an answer to its caller works with. */
export type DeliveryDeps = ChargeDeps &
  Readonly<{
    clock: Clock;
    logger: Logger;
    options: OptionBook;
    leaseBook: LeaseBook;
    meters: RelayMeters;
    /** Watches requests in flight. */
    ticker: Ticker;
    answerBounds: AnswerBounds;
    offload: Offload<AnswerJobs>;
    /** Responses that callers may name later. */
    keptResponses: KeptResponses;
  }>;
