import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { startTests, type VitestRunnerConfig } from '@vitest/runner';
import { VitestTestRunner } from 'vitest/runners';

/*
 * Runs a spec once as it is and notes which mutants it reaches; then once for each of them, with
 * the modules of the project evaluated anew, so that tables and caches are those of the mutant.
 */

type Switch = { on: number; hits: Set<number>; ticks: number };
const scope = globalThis as { __mutation?: Switch };

/** What the run is about; written by `session.ts`. */
export type Job = Readonly<{
  /** Mutants to try; all others are left as they are. */
  ids: readonly number[];
  /** Lines of `Verdict`, added as they are known. */
  results: string;
}>;
export type Verdict = Readonly<{
  id: number;
  spec: string;
  outcome: 'started' | 'killed' | 'survived';
  by?: string;
}>;

const jobOf = (): Job => JSON.parse(readFileSync(process.env.MUTATION_JOB ?? '', 'utf8'));

type Node = {
  file?: string;
  id?: string;
  promise?: unknown;
  exports?: unknown;
  evaluated?: boolean;
};
type Modules = Readonly<{ idToModuleMap: ReadonlyMap<string, Node> }>;

class QuietRunner extends VitestTestRunner {
  failedBy: string | null = null;

  override onAfterRunTask(test: Parameters<VitestTestRunner['onAfterRunTask']>[0]): void {
    if (test.result?.state !== 'fail') return;
    this.failedBy ??= test.name;
    this.cancel('test-failure');
  }
  override async onAfterRunSuite(): Promise<void> {}
  override onAfterRunFiles(): void {}
}

const namesOf = (file: { name: string; result?: { errors?: readonly { message?: string }[] } }) =>
  file.result?.errors?.[0]?.message ?? null;

// biome-ignore lint/style/noDefaultExport: vitest takes a runner by its default export
export default class MutationRunner extends VitestTestRunner {
  private readonly settings: VitestRunnerConfig;
  private isBroken = false;

  constructor(config: ConstructorParameters<typeof VitestTestRunner>[0]) {
    super(config);
    this.settings = config;
  }

  private get modules(): Modules {
    return (this as unknown as { workerState: { evaluatedModules: Modules } }).workerState
      .evaluatedModules;
  }

  private forget(): void {
    for (const node of this.modules.idToModuleMap.values()) {
      const id = node.file ?? node.id ?? '';
      if (id.includes('/node_modules/') || !/\.(ts|tsx|json)$/.test(id)) continue;
      if (id.includes('/tests/mutation/')) continue;
      node.promise = undefined;
      node.exports = undefined;
      node.evaluated = false;
    }
  }

  private async runOnce(spec: string): Promise<string | null> {
    const runner = new QuietRunner(this.settings as never);
    Object.assign(runner, {
      config: { ...this.settings, testTimeout: 5_000, hookTimeout: 5_000 },
      onTaskUpdate: async () => {},
      onCollected: () => {},
      onCleanupWorkerContext: () => {},
    });
    Object.defineProperty(runner, 'moduleRunner', {
      value: (this as unknown as { moduleRunner: unknown }).moduleRunner,
    });
    Object.defineProperty(runner, '_otel', {
      value: (this as unknown as { _otel: unknown })._otel,
    });
    const [file] = await startTests([spec], runner as never);
    if (runner.failedBy !== null) return runner.failedBy;
    if (file === undefined || file.result?.state !== 'fail') return null;
    return namesOf(file) ?? 'the spec does not load';
  }

  override onAfterRunTask(test: Parameters<VitestTestRunner['onAfterRunTask']>[0]): void {
    super.onAfterRunTask(test);
    if (test.result?.state === 'fail') this.isBroken = true;
  }

  private async tryOut(id: number, spec: string, note: (verdict: Verdict) => void): Promise<void> {
    const state = scope.__mutation;
    if (state === undefined) return;
    note({ id, spec, outcome: 'started' });
    this.forget();
    state.ticks = 0;
    state.on = id;
    const by = await this.runOnce(spec).catch((error: unknown) => String(error));
    state.on = -1;
    if (by === null) note({ id, spec, outcome: 'survived' });
    else note({ id, spec, outcome: 'killed', by });
  }

  private async tryAll(spec: string): Promise<void> {
    const { ids, results } = jobOf();
    const note = (verdict: Verdict): void =>
      appendFileSync(results, `${JSON.stringify(verdict)}\n`);
    const known = existsSync(results) ? readFileSync(results, 'utf8') : '';
    const reached = new Set(scope.__mutation?.hits ?? []);
    for (const id of ids) {
      if (!reached.has(id)) continue;
      // Tried here before, by a worker that did not come back.
      if (known.includes(`{"id":${id},"spec":${JSON.stringify(spec)}`)) continue;
      if (known.includes(`{"id":${id},`) && isKilled(known, id)) continue;
      await this.tryOut(id, spec, note);
    }
  }

  override async onAfterRunFiles(files?: readonly { filepath: string }[]): Promise<void> {
    const [file] = files ?? [];
    if (file !== undefined && !this.isBroken) await this.tryAll(file.filepath);
    super.onAfterRunFiles();
  }
}

const isKilled = (known: string, id: number): boolean =>
  known.split('\n').some((line) => line.startsWith(`{"id":${id},`) && line.includes('"killed"'));
