import type { ActionKind, Tampering } from '../history.ts';
import type { ViolationKind } from '../oracle/violations.ts';

/** What a generated history may hold. */
export type Profile = Readonly<{
  /** Share of the histories that have few machines, few calls and a short time (`size.ts`). */
  smallShare: number;
  /** Kind → how often it is drawn, against the others. */
  kinds: Readonly<Partial<Record<ActionKind, number>>>;
  /** Pauses and cuts last this long at most, milliseconds. */
  longestAbsenceMs: number;
  /** State that the bus had not synced and loses with its power, at most, milliseconds. */
  busForgetsMs: number;
  /** Wall clocks are apart by this much at most. */
  clockSpreadMs: number;
  /** Share of the histories that keep read models. */
  projections: number;
  /** Share of the histories in which some calls submit tasks. */
  tasks: number;
  /** The same for batches. */
  batches: number;
  /** The same for context caches, and calls that read them. */
  caches: number;
  /** The same for realtime sessions. */
  sessions: number;
  /** Some calls cost more than was set aside for them. */
  underestimates: boolean;
  tamperings: readonly Tampering[];
  /** Most machines of each kind. */
  mostKeepers: number;
  mostRelays: number;
  /** What is not reported: it is an open defect of the product. */
  muted: readonly ViolationKind[];
}>;

/** All that the nemesis can do. */
export const full: Profile = {
  smallShare: 0.94,
  kinds: {
    crash: 6,
    'lose-power': 2,
    stop: 3,
    pause: 4,
    'jump-clock': 2,
    hold: 4,
    break: 4,
    slow: 2,
    reset: 4,
    'fill-disk': 2,
    'fill-log': 1,
    'fill-bus': 1,
    'flip-bit': 1,
    'lose-file': 1,
    'restart-bus': 2,
    'empty-bus': 1,
    'restart-log': 2,
    'restore-log': 1,
    'restore-read-models': 1,
    'change-price': 2,
    'set-budget': 2,
    'delete-token': 1,
    adjust: 2,
    'empty-balance': 1,
    'top-up': 3,
    correct: 1,
    refund: 1,
    tamper: 1,
  },
  longestAbsenceMs: 12_000,
  busForgetsMs: 5_000,
  clockSpreadMs: 3 * 3_600_000,
  projections: 0.15,
  tasks: 0.2,
  batches: 0.1,
  caches: 0.1,
  sessions: 0.1,
  underestimates: true,
  tamperings: [
    'amount',
    'balance',
    'actor',
    'caller',
    'remove-charge',
    'remove-last-charge',
    'repeat-charge',
    'remove-failure',
    'snapshot',
    'forged-credit',
    'read-model',
    'missing-read-model',
  ],
  mostKeepers: 3,
  mostRelays: 3,
  muted: [],
};
