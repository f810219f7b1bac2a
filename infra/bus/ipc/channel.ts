import type { ChildProcess } from 'node:child_process';

type Unlisten = () => void;

/** One end of a connection between two processes or threads that keeps order and carries `bigint`. */
export type Channel = Readonly<{
  send: (message: unknown) => void;
  onMessage: (listener: (message: unknown) => void) => Unlisten;
  /** Called once when the other end is gone. */
  onClose: (listener: () => void) => Unlisten;
}>;

/** A child made with `serialization: 'advanced'`, or, in that child, `process`. */
export const channelOfProcess = (end: ChildProcess | NodeJS.Process): Channel => {
  const listen = (event: string, listener: (message: unknown) => void): Unlisten => {
    end.on(event, listener);
    return () => void end.off(event, listener);
  };
  return {
    send: (message) => {
      // The callback gets the error of a channel that just closed; 'disconnect' reports the rest.
      if (end.connected) end.send?.(message as object, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => listen('message', listener),
    onClose: (listener) => {
      if (!end.connected) queueMicrotask(listener);
      return listen('disconnect', listener);
    },
  };
};
