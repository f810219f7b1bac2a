import { z } from 'zod';

export const whole = (min: number, max: number) => {
  const expectation = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, expectation)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expectation);
};

/** What callers may take of a process before and while they are served. */
export type LimitConfig = Readonly<{
  /** MiB of request bodies that a process holds in memory at once. */
  bodyMemoryMb: number;
  /** Seconds that a client may take for the head of a request. */
  headersTimeoutSeconds: number;
  /** Seconds between two pieces of a request body, and for the whole of one. */
  bodyIdleTimeoutSeconds: number;
  bodyTimeoutSeconds: number;
  /** Open connections in all, and of one address (IPv6: of one /64). */
  maxConnections: number;
  maxConnectionsPerAddress: number;
}>;

/** Their variables. */
export const limitVariables = {
  BODY_MEMORY_MB: whole(1, 65_536).optional(),
  HEADERS_TIMEOUT_SECONDS: whole(1, 3_600).default(20),
  BODY_IDLE_TIMEOUT_SECONDS: whole(1, 3_600).default(30),
  BODY_TIMEOUT_SECONDS: whole(1, 86_400).default(600),
  MAX_CONNECTIONS: whole(16, 1_000_000).default(10_000),
  MAX_CONNECTIONS_PER_ADDRESS: whole(1, 1_000_000).default(2_048),
} as const;

type Values = z.infer<z.ZodObject<typeof limitVariables>>;

/** Several of the largest bodies fit, each with what it is decompressed to. */
const defaultBodyMemoryMb = (maxBodyMb: number): number => Math.max(256, 4 * maxBodyMb);

export const limitsOf = (values: Values, maxBodyMb: number): LimitConfig =>
  Object.freeze({
    bodyMemoryMb: values.BODY_MEMORY_MB ?? defaultBodyMemoryMb(maxBodyMb),
    headersTimeoutSeconds: values.HEADERS_TIMEOUT_SECONDS,
    bodyIdleTimeoutSeconds: values.BODY_IDLE_TIMEOUT_SECONDS,
    bodyTimeoutSeconds: values.BODY_TIMEOUT_SECONDS,
    maxConnections: values.MAX_CONNECTIONS,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
  });

/** What does not go together; null: nothing. */
export const limitProblem = ({ bodyMemoryMb }: LimitConfig, maxBodyMb: number): string | null =>
  bodyMemoryMb < 2 * maxBodyMb ? 'BODY_MEMORY_MB must be at least twice MAX_BODY_MB' : null;
