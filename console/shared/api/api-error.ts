/**
 * Why a call failed. `refused`: the rules refuse it (HTTP 200, `success: false`); `http`: the
 * server answered with an error status; `network`: no answer at all.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: 'refused' | 'http' | 'network';
  readonly status: number;
  readonly code: string;
  /** What an administrator searches in the log; empty when no answer arrived. */
  readonly requestId: string;

  constructor(
    message: string,
    facts: { kind: ApiError['kind']; status: number; code?: string; requestId?: string },
  ) {
    super(message);
    this.kind = facts.kind;
    this.status = facts.status;
    this.code = facts.code ?? '';
    this.requestId = facts.requestId ?? '';
  }
}
