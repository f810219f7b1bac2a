import type { NatsLink } from '../../../infra/bus/nats/nats-link.ts';
import { createJetStreamClient, createManager } from './nats-client-streams.ts';
import { natsErrors } from './nats-errors.ts';
import type { Incoming, Subscriber } from './nats-server.ts';
import { apiCall, type NatsClientNeeds, type NatsSession, openSession } from './nats-session.ts';

const createMessage = (message: Incoming) => ({
  string: () => message.text,
  json: () => JSON.parse(message.text) as unknown,
  respond: (text: string) => message.reply?.(text),
});

/** Subjects: publish, subscribe, request; subscriptions are made again after a lost connection. */
const createConnection = (session: NatsSession) => {
  const { network, machine, server } = session.needs;
  const buffered: (() => void)[] = [];

  const toServer = (task: () => void): void => {
    if (session.isConnected()) network.send(machine, server.machine, task);
    else buffered.push(task);
  };
  session.onReconnect(() => {
    for (const task of buffered.splice(0)) network.send(machine, server.machine, task);
  });

  const subscribe = (
    subject: string,
    options: Readonly<{
      queue?: string;
      callback: (error: null, message: unknown) => void;
    }>,
  ) => {
    let isClosed = false;
    let subscriber: Subscriber | null = null;
    const drop = (): void => {
      if (subscriber !== null) server.unsubscribe(subscriber);
      subscriber = null;
    };
    const take = (message: Incoming): void => {
      if (!isClosed) options.callback(null, createMessage(message));
    };
    const { life } = machine;
    const deliver = (message: Incoming): void =>
      network.send(server.machine, machine, () => {
        if (machine.life === life) take(withReply(message));
      });
    /** The answer travels back by way of the server. */
    const withReply = (message: Incoming): Incoming => {
      const { reply } = message;
      if (reply === null) return message;
      return { ...message, reply: (text) => toServer(() => reply(text)) };
    };
    const announce = (): void =>
      toServer(() => {
        if (isClosed || machine.life !== life) return;
        drop();
        subscriber = { subject, group: options.queue ?? '', deliver };
        server.subscribe(subscriber);
      });
    announce();
    session.onReconnect(announce);
    // The server drops a client whose connection is gone.
    network.watch(machine, server.machine, (isUp) => {
      if (!isUp) drop();
    });
    const close = (): void => {
      isClosed = true;
      drop();
    };
    return { isClosed: () => isClosed, unsubscribe: close, drain: async () => close() };
  };

  const request = (
    subject: string,
    text: string,
    { timeout }: Readonly<{ timeout: number }>,
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      let answer: string | null | undefined;
      const settle = machine.bind(() => {
        machine.timers.clear(timer);
        if (answer === undefined) reject(natsErrors.timeout());
        else if (answer === null) reject(natsErrors.noResponders());
        else resolve(createMessage({ subject, text: answer, reply: null }));
      });
      const timer = machine.timers.setTimeout(settle, timeout);
      const reply = (found: string | null): void =>
        network.send(server.machine, machine, () => {
          answer = found;
          settle();
        });
      toServer(() => server.route({ subject, text, reply }));
    });

  return {
    isClosed: () => false,
    publish: (subject: string, text: string) =>
      toServer(() => server.route({ subject, text, reply: null })),
    subscribe,
    request,
    flush: () => apiCall(session, () => undefined).catch(() => undefined),
    drain: async () => undefined,
    close: async () => undefined,
  };
};

/** The part of the client library that the adapter uses, over the simulated network. */
export const openNatsClient = (needs: NatsClientNeeds): NatsLink => {
  const session = openSession(needs);
  const { machine, logger } = needs;
  const link = {
    connection: createConnection(session),
    jetStream: createJetStreamClient(session),
    manager: createManager(session),
    logger,
    system: { timers: machine.timers, random: machine.random },
    namespace: 'tollgate',
    replicas: 1,
    creates: true,
    onReconnect: session.onReconnect,
    onDisconnect: session.onDisconnect,
    isConnected: session.isConnected,
  };
  // The library's own types hold a hundred members more; the adapter has no use for them.
  return link as unknown as NatsLink;
};
