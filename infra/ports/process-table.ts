/** Distinguishes one process of this machine from a later one of the same number. */
export type ProcessMark = Readonly<{
  pid: number;
  /** "" where the system does not report it, and then the number alone decides. */
  startedAt: string;
}>;

export interface ProcessTable {
  own(): ProcessMark;
  isAlive(mark: ProcessMark): boolean;
}
