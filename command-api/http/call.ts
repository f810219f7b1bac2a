import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../domain/access/language.ts';
import type { AccountCommand } from '../../domain/account/commands.ts';
import type { Decider } from '../../domain/shared/decider.ts';
import type { Command, Event, Metadata } from '../../domain/shared/event.ts';
import type { RouteDeclaration } from '../../infra/web/route.ts';
import type { CommandResult } from '../commands/command-result.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { CommandKeys } from '../identity/command-keys.ts';
import type { Accounts, CommandOrigin } from '../keeper/accounts.ts';
import { uuidFrom } from '../shared/uuid.ts';
import type { Commit } from '../shared/visibility.ts';
import type { CountedGuess, Guess } from './guess-limit.ts';
import type { HumanProof } from './human-check.ts';
import { criticalSubject, type RateLimit } from './rate-limit.ts';
import type { AnyHandler } from './routes.ts';
import type { Caller } from './sign-in.ts';

export type CallDeps = Readonly<{
  commands: CommandHandler;
  accounts: Accounts;
  commandKeys: CommandKeys;
  hasConsequences: (eventType: string) => boolean;
}>;

/** The data of a command, without its metadata. */
export type Payload<C extends Command> = C extends Command
  ? Readonly<{ type: C['type']; data: C['data'] }>
  : never;

/** One HTTP request on its way through a route. */
export interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly language: Language;
  readonly ip: string;
  /** The signed-in caller. @throws on a public route */
  readonly caller: Caller;
  readonly metadata: Metadata;
  /** The client named the request by an `Idempotency-Key`. */
  readonly isRepeatable: boolean;
  /** Hands a command to the decider of a stream; the reply waits until the outcome is visible. */
  perform<C extends Command, E extends Event, S, R extends string>(
    decider: Decider<C, E, S, R>,
    streamId: string,
    payload: Payload<C>,
  ): Promise<CommandResult<E, R>>;
  /** The same for the account of a user, through their keeper. */
  book(payload: Payload<AccountCommand>): ReturnType<Accounts['execute']>;
  /** For what was written past `perform`: the reply waits for it too. */
  note<E extends Event, R extends string>(result: CommandResult<E, R>): CommandResult<E, R>;
  readonly rateLimit: RateLimit;
  /** An honest call of a critical route counts no more. */
  giveBackAttempt(): Promise<void>;
  /** Counts an attempt at a secret; see `user/guesses.ts`. */
  readonly takeGuess: (guess: Guess) => Promise<CountedGuess>;
  readonly human: HumanProof;
  /** What this call wrote, for the wait at its end. */
  readonly commits: readonly Commit[];
}

export type CallFacts = Readonly<{
  request: FastifyRequest;
  reply: FastifyReply;
  language: Language;
  ip: string;
  caller: Caller | null;
  metadata: Metadata;
  isRepeatable: boolean;
  rateLimit: RateLimit;
  takeGuess: (guess: Guess) => Promise<CountedGuess>;
  human: HumanProof;
}>;

/** Each command of a request gets a separate id, the same one when the request is repeated. */
const stepMetadata = (metadata: Metadata, step: string, nth: number): Metadata => ({
  ...metadata,
  commandId: uuidFrom(`${metadata.commandId}/${step}/${nth}`),
});

/** The parts of the request are parsed when they are read. @throws ZodError, answered as `request.invalid` */
export const createCall = (facts: CallFacts, deps: CallDeps, declared: RouteDeclaration) => {
  const { request, caller, metadata, isRepeatable } = facts;
  const commits: Commit[] = [];
  const steps = new Map<string, number>();

  const metadataFor = (step: string): Metadata => {
    const nth = steps.get(step) ?? 0;
    steps.set(step, nth + 1);
    return stepMetadata(metadata, step, nth);
  };
  const originOf = async ({ data }: Payload<AccountCommand>): Promise<CommandOrigin> => {
    if (!isRepeatable) return { kind: 'unrepeatable' };
    return { kind: 'caused', position: await deps.commandKeys.claim(metadata, data.userId) };
  };
  const note = <E extends Event, R extends string>(result: CommandResult<E, R>) => {
    if (result.kind === 'accepted' && result.position !== null) {
      const hasConsequences = result.events.some(({ type }) => deps.hasConsequences(type));
      commits.push({ position: result.position, hasConsequences });
    }
    return result;
  };

  const call: Parameters<AnyHandler>[0] = {
    ...facts,
    commits,
    note,
    get caller() {
      if (!caller) throw new Error('a public route read the signed-in user');
      return caller;
    },
    giveBackAttempt: () => facts.rateLimit.giveBack(criticalSubject(facts.ip)),
    get body() {
      return declared.body?.parse(request.body ?? {});
    },
    get statusBody() {
      return declared.statusBody?.parse(request.body ?? {});
    },
    get query() {
      return declared.query?.parse(request.query);
    },
    get params() {
      return declared.params?.parse(request.params);
    },
    async perform(decider, streamId, payload) {
      type C = Parameters<typeof decider.decide>[0];
      const step = `${streamId}/${payload.type}`;
      const command = { ...payload, metadata: metadataFor(step) } as unknown as C;
      return note(await deps.commands.handle(decider, streamId, command));
    },
    async book(payload) {
      const step = `account-${payload.data.userId}/${payload.type}`;
      const command = { ...payload, metadata: metadataFor(step) } as AccountCommand;
      return note(await deps.accounts.execute(command, await originOf(payload)));
    },
  };
  return call;
};
