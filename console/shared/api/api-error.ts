/**
 * Why a call failed. `refused`: the rules say no (HTTP 200, `success: false`); `http`: the server
 * answered with a status of its own; `network`: no answer at all.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: 'refused' | 'http' | 'network';
  readonly status: number;
  readonly code: string;
  /** What an administrator searches the log for; empty when no answer came. */
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
