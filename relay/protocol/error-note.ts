import type { IncomingMessage } from 'node:http';

/** The error that a request was answered with. */
type ErrorNote = Readonly<{
  code: string;
  /** The code is one of the gateway's, whether or not the registry of errors has it. */
  isOwn: boolean;
}>;

const notes = new WeakMap<IncomingMessage, ErrorNote>();
const outerRequests = new WeakMap<IncomingMessage, IncomingMessage>();

/** Errors of a request inside another one are those of the outer one. */
export const noteErrorsOf = (inner: IncomingMessage, outer: IncomingMessage): void => {
  outerRequests.set(inner, outer);
};

/** Whatever writes an error notes it here, so that refusals are counted in one place. */
export const noteError = (req: IncomingMessage, note: ErrorNote): void => {
  notes.set(outerRequests.get(req) ?? req, note);
};

export const notedError = (req: IncomingMessage): ErrorNote | undefined => notes.get(req);
