import { randomUUID } from 'node:crypto';
import type {
  CreateReq,
  DeleteReq,
  GetInfoReq,
  ListReq,
  ReadReq,
  ReplayParkedReq,
  UpdateReq,
} from '@eventstore/db-client/generated/persistent_pb.js';
import persistentPb from '@eventstore/db-client/generated/persistent_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { ServerDuplexStream, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import type { NodeContext } from '../node-context.ts';
import type { Consumer } from '../persistent/consumer.ts';
import type { Group, NackAction } from '../persistent/group.ts';
import type { Groups } from '../persistent/groups.ts';
import { allStream } from '../persistent/settings.ts';
import { invalidArgument, persistentError, unavailable } from '../wire/errors.ts';
import { confirmationResponse, persistentEventResponse } from '../wire/read-response.ts';
import { streamNameOf, uuidOf } from './append.ts';
import { asServiceError } from './calls.ts';
import { infoOf } from './persistent-info.ts';
import { keyOf, settingsOf } from './persistent-settings.ts';

type Call = ServerDuplexStream<ReadReq, Buffer>;

/** Answers a unary call with what the work resolves to. */
const unary =
  <Req, Res>(context: NodeContext, work: (request: Req) => Promise<Res>) =>
  (call: ServerUnaryCall<Req, Res>, answer: sendUnaryData<Res>): void => {
    work(call.request).then(
      (response) => answer(null, response),
      (error: unknown) => answer(asServiceError(error, context)),
    );
  };

const required = <T>(options: T | undefined): T => {
  if (options === undefined) throw invalidArgument('no options');
  return options;
};

const nackActions: readonly NackAction[] = ['retry', 'park', 'retry', 'skip', 'stop'];

/** One consumer's call: options first, then acknowledgements for as long as it lasts. */
class ConsumerCall {
  readonly #call: Call;
  readonly #context: NodeContext;
  readonly #groups: Groups;
  #connection: { group: Group; consumer: Consumer } | null = null;

  constructor(call: Call, context: NodeContext, groups: Groups) {
    this.#call = call;
    this.#context = context;
    this.#groups = groups;
  }

  start(): void {
    const leave = (): void => this.#leave();
    const stop = (): void => this.#fail(unavailable('the event store is closing'));
    this.#context.stopping.addEventListener('abort', stop, { once: true });
    this.#call.on('data', (request: ReadReq) => this.#receive(request));
    this.#call.on('end', () => {
      this.#leave();
      this.#call.end();
    });
    for (const event of ['cancelled', 'error', 'close']) {
      this.#call.once(event, () => {
        this.#context.stopping.removeEventListener('abort', stop);
        leave();
      });
    }
  }

  #receive(request: ReadReq): void {
    try {
      const options = request.getOptions();
      if (options !== undefined) this.#connect(options);
      else this.#answer(request);
    } catch (error) {
      this.#fail(asServiceError(error, this.#context));
    }
  }

  #connect(options: ReadReq.Options): void {
    const group = this.#groups.get(keyOf(options));
    const form = options.getUuidOption()?.hasStructured() ? 'structured' : 'string';
    const consumer: Consumer = {
      name: String(this.#call.metadata.get('connection-name')[0] ?? randomUUID()),
      from: this.#call.getPeer(),
      bufferSize: Math.max(1, options.getBufferSize()),
      inFlight: new Map(),
      totalItems: 0,
      deliver: ({ resolved, retryCount }) => {
        this.#call.write(persistentEventResponse(resolved, retryCount, form));
      },
      drop: (error) => this.#fail(error),
    };
    group.connect(consumer);
    this.#connection = { group, consumer };
    this.#call.write(confirmationResponse(`${group.key.stream}::${group.key.group}`));
    group.dispatch();
  }

  #answer(request: ReadReq): void {
    if (this.#connection === null) throw invalidArgument('an answer before the options');
    const { group, consumer } = this.#connection;
    const ack = request.getAck();
    if (ack !== undefined) group.ack(consumer, idsOf(ack));
    const nack = request.getNack();
    if (nack === undefined) return;
    const action = nackActions[nack.getAction()] ?? 'retry';
    group.nack(consumer, idsOf(nack), { action, reason: nack.getReason() });
  }

  #leave(): void {
    const connection = this.#connection;
    this.#connection = null;
    connection?.group.disconnect(connection.consumer);
  }

  #fail(error: Error): void {
    this.#leave();
    if (!this.#call.cancelled) this.#call.emit('error', error);
  }
}

const idsOf = (answer: ReadReq.Ack | ReadReq.Nack): string[] =>
  answer.getIdsList().flatMap((id) => uuidOf(id) ?? []);

const listed = (groups: Groups, options: ListReq.Options): readonly Group[] => {
  const all = groups.list();
  const forStream = options.getListForStream();
  if (forStream === undefined) return all;
  const identifier = forStream.getStream();
  const stream =
    identifier === undefined ? allStream : streamNameOf({ getStreamIdentifier: () => identifier });
  const found = all.filter(({ key }) => key.stream === stream);
  if (found.length === 0) throw persistentError('does-not-exist', stream, '');
  return found;
};

/** The PersistentSubscriptions service, by method. */
export const persistentHandlers = (context: NodeContext, groups: Groups) => ({
  create: unary(context, async (request: CreateReq) => {
    const options = required(request.getOptions());
    await groups.create(keyOf(options), await settingsOf(context.log, options));
    return new persistentPb.CreateResp();
  }),
  update: unary(context, async (request: UpdateReq) => {
    const options = required(request.getOptions());
    await groups.update(keyOf(options), await settingsOf(context.log, options));
    return new persistentPb.UpdateResp();
  }),
  delete: unary(context, async (request: DeleteReq) => {
    await groups.remove(keyOf(required(request.getOptions())));
    return new persistentPb.DeleteResp();
  }),
  getInfo: unary(context, async (request: GetInfoReq) => {
    const group = groups.get(keyOf(required(request.getOptions())));
    const info = await infoOf(context.log, group);
    return new persistentPb.GetInfoResp().setSubscriptionInfo(info);
  }),
  list: unary(context, async (request: ListReq) => {
    const found = listed(groups, required(request.getOptions()));
    const infos = await Promise.all(found.map((group) => infoOf(context.log, group)));
    return new persistentPb.ListResp().setSubscriptionsList(infos);
  }),
  replayParked: unary(context, async (request: ReplayParkedReq) => {
    const options = required(request.getOptions());
    const stopAt = options.hasStopAt() ? Number(options.getStopAt()) : null;
    await groups.get(keyOf(options)).replayParked(stopAt);
    return new persistentPb.ReplayParkedResp();
  }),
  restartSubsystem: unary(context, async () => {
    await groups.restart();
    return new sharedPb.Empty();
  }),
  read: (call: Call): void => new ConsumerCall(call, context, groups).start(),
});
