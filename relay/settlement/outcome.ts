import type { RequestEnd } from '../../domain/account/events.ts';

/** The facts of an answer that has ended. */
export type AnswerEnding = Readonly<{
  /** Why reading ended. */
  reason: RequestEnd;
  /** The caller closed the connection before the answer was complete. */
  isClientGone: boolean;
  /** The upstream failed, or an event of the answer was an error. */
  isBroken: boolean;
  /** The provider reported usage for the whole answer, not only for its beginning. */
  hasFinalReport: boolean;
  /** Nothing was produced: no text, no tool call, no media. */
  isEmpty: boolean;
}>;

export type AnswerOutcome =
  /** Nothing is charged; the reservation is released. */
  | Readonly<{ kind: 'uncharged' }>
  /**
   * Charged by the provider's report. `isPartial`: the report covers the beginning only, so what was
   * produced is the lower bound; without any report, what was produced is counted.
   */
  | Readonly<{ kind: 'charged'; end: RequestEnd; isPartial: boolean }>;

/**
 * Who pays for an answer that has begun, by how it ended:
 *
 * | final report | broken | produced | outcome                                           |
 * | ------------ | ------ | -------- | ------------------------------------------------- |
 * | yes          | any    | any      | charged by the report                             |
 * | no           | yes    | nothing  | not charged                                       |
 * | no           | yes    | some     | charged for what was produced, and the prompt     |
 * | no           | no     | any      | charged for what was produced, and the prompt     |
 *
 * The recorded end: a cut-off stays one; else a caller that left is `client-gone`; else a broken
 * answer is `upstream-broken`, even where its connection ended in order.
 */
export const outcomeOf = (ending: AnswerEnding): AnswerOutcome => {
  const { reason, isClientGone, isBroken, hasFinalReport, isEmpty } = ending;
  if (isBroken && !hasFinalReport && isEmpty) return { kind: 'uncharged' };
  return {
    kind: 'charged',
    end: endOf(reason, isClientGone, isBroken),
    isPartial: !hasFinalReport,
  };
};

const endOf = (reason: RequestEnd, isClientGone: boolean, isBroken: boolean): RequestEnd => {
  if (reason === 'cut-off') return reason;
  if (isClientGone) return 'client-gone';
  return isBroken && reason === 'complete' ? 'upstream-broken' : reason;
};
