import type { SecureContextOptions } from 'node:tls';
import type { UpstreamCall } from '../call.ts';
import type { UpstreamRequest } from '../types.ts';
import { Connection, type Dial, type Home, type WireRequest } from './connection.ts';
import { dialTo } from './dial.ts';
import { RequestHeads } from './request-head.ts';

export type HttpTimes = Readonly<{
  connectMs: number;
  /** From the request to the whole head of its answer. */
  headMs: number;
  /** Silence between two pieces of an answer. */
  idleMs: number;
}>;

const secureDefault = 443;
const plainDefault = 80;
/** Idle connections of providers that do not announce how long they keep them. */
const defaultRestMs = 4_000;
/** Maximum of the announced time that is applied, less the time that a request travels. */
const maxRestMs = 600_000;
const travelMs = 2_000;
/** Beyond this a body is written by itself instead of being copied behind its head. */
const maxCopiedBytes = 65_536;
const defaultTickMs = 500;
const shortestTickMs = 5;

/** The connections to one provider. */
class Origin implements Home {
  readonly heads: RequestHeads;
  readonly connectTicks: number;
  readonly headTicks: number;
  private readonly client: HttpClient;
  private readonly dial: Dial;
  private readonly isSecure: boolean;
  private readonly idle: Connection[] = [];

  constructor(client: HttpClient, origin: string, trust: SecureContextOptions) {
    const { protocol, hostname, port, host } = new URL(origin);
    if (!/^https?:$/.test(protocol)) throw new Error('the address is neither http nor https');
    this.client = client;
    this.isSecure = protocol === 'https:';
    this.heads = new RequestHeads(host);
    this.connectTicks = client.ticks(client.times.connectMs);
    this.headTicks = client.ticks(client.times.headMs);
    const place = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (this.isSecure ? secureDefault : plainDefault),
      isSecure: this.isSecure,
    };
    this.dial = dialTo(place, trust);
  }

  send(request: WireRequest): void {
    const connection = this.idle.pop();
    if (connection === undefined) {
      this.redo(request);
      return;
    }
    connection.take(request);
    this.client.writeSoon(connection);
  }

  redo(request: WireRequest): void {
    const connection = new Connection(this, this.dial, this.isSecure ? 'secureConnect' : 'connect');
    this.client.opened(connection);
    connection.take(request);
    connection.write();
  }

  restTicks(keepsSeconds: number | null): number | null {
    if (keepsSeconds === null) return this.client.ticks(defaultRestMs);
    const ms = Math.min(keepsSeconds * 1_000 - travelMs, maxRestMs);
    return ms > 0 ? this.client.ticks(ms) : null;
  }

  release(connection: Connection): void {
    this.idle.push(connection);
  }

  gone(connection: Connection): void {
    this.client.closed(connection);
    const at = this.idle.lastIndexOf(connection);
    if (at >= 0) this.idle.splice(at, 1);
  }
}

/**
 * HTTP/1.1 to providers, for the relay's hot path: every request that needs no proxy is sent here.
 * Connections are kept per origin, without a cap: providers announce their limits, and a small cap
 * starves many slow calls.
 *
 * What makes it cheap: all connections read into the same bytes, heads and chunks are read in
 * place, a request is sent in one write, and one clock for all connections detects idle ones.
 */
export class HttpClient {
  readonly times: HttpTimes;
  private readonly trust: SecureContextOptions;
  private readonly tickMs: number;
  private readonly origins = new Map<string, Origin>();
  private readonly connections = new Set<Connection>();
  /** Used again: `due` since this turn of the loop, `ready` since the one before. */
  private due: Connection[] = [];
  private ready: Connection[] = [];
  private clock: NodeJS.Timeout | null = null;

  constructor(times: HttpTimes, trust: SecureContextOptions = {}) {
    this.times = times;
    this.trust = trust;
    const shortest = Math.min(times.connectMs, times.headMs, times.idleMs);
    this.tickMs = Math.max(shortestTickMs, Math.min(defaultTickMs, shortest / 8));
  }

  /** @throws when the request cannot be sent as it is */
  send(request: UpstreamRequest, call: UpstreamCall, idleFactor: number): void {
    const origin = this.originOf(request.origin);
    const { body } = request;
    origin.send({
      bytes: origin.heads.write(request, maxCopiedBytes),
      longBody: body.length > maxCopiedBytes ? body : null,
      call,
      idleTicks: this.ticks(this.times.idleMs * idleFactor),
    });
  }

  close(): void {
    for (const connection of [...this.connections]) {
      connection.fail(new Error('broken off by the relay'));
    }
  }

  /** Never fewer than the time is long. */
  ticks(ms: number): number {
    return Math.ceil(ms / this.tickMs);
  }

  /**
   * Before a connection is used again, what it may have received meanwhile must be read: an end, or
   * bytes that would be taken for the answer. The loop reads events from the system once a turn, so
   * that is sure only at the end of the next one.
   */
  writeSoon(connection: Connection): void {
    if (this.due.push(connection) === 1 && this.ready.length === 0) setImmediate(this.turn);
  }

  opened(connection: Connection): void {
    this.connections.add(connection);
    this.clock ??= setInterval(this.tick, this.tickMs).unref();
  }

  closed(connection: Connection): void {
    this.connections.delete(connection);
    if (this.connections.size > 0 || this.clock === null) return;
    clearInterval(this.clock);
    this.clock = null;
  }

  private originOf(address: string): Origin {
    const known = this.origins.get(address);
    if (known !== undefined) return known;
    const origin = new Origin(this, address, this.trust);
    this.origins.set(address, origin);
    return origin;
  }

  private readonly turn = (): void => {
    const { ready, due } = this;
    this.ready = due;
    this.due = [];
    if (due.length > 0) setImmediate(this.turn);
    for (const connection of ready) connection.write();
  };

  private readonly tick = (): void => {
    for (const connection of this.connections) connection.tick();
  };
}
