/* Who may import whom: style section 3. `tests/architecture/imports.arch.spec.ts` holds that this sees every room. */
const rooms = ['domain', 'command-api', 'projections', 'relay', 'console', 'infra', 'tests'];
/** Test code: specs, and what the specs of the console are rendered with. */
const spec = '([.]spec[.]tsx?$|^console/testing/)';
const packages = (names) => `node_modules/(${names.join('|')})(/|$)`;
const server = ['fastify', 'fastify-plugin', '@fastify/[^/]+', 'zod'];
const react = [
  'react',
  'react-dom',
  'react-router-dom',
  'react-router',
  '@tanstack/[^/]+',
  '@blueprintjs/[^/]+',
  'recharts',
  'i18next',
  'react-i18next',
  'react-markdown',
  'qrcode[.]react',
  'dompurify',
  '@simplewebauthn/browser',
  'date-fns',
  'zod',
];

/** A room may import these folders; with `types`, only their types. */
const mayImport = (room, allowed, typesOnly = []) => [
  {
    name: `${room}-imports`,
    severity: 'error',
    from: { path: `^${room}/`, pathNot: spec },
    to: {
      path: `^(${rooms.join('|')})/`,
      pathNot: [`^${room}/`, ...allowed, ...typesOnly].map((p) =>
        p.startsWith('^') ? p : `^${p}`,
      ),
    },
  },
  ...(typesOnly.length === 0
    ? []
    : [
        {
          name: `${room}-types-only`,
          severity: 'error',
          from: { path: `^${room}/`, pathNot: spec },
          to: {
            path: typesOnly.map((p) => `^${p}`),
            pathNot: allowed.map((p) => `^${p}`),
            dependencyTypesNot: ['type-only'],
          },
        },
      ]),
];

const packagesOf = (room, names) => ({
  name: `${room}-packages`,
  severity: 'error',
  from: { path: `^${room}/`, pathNot: [spec, 'vite[.]config[.]ts$'] },
  to: { path: 'node_modules/', pathNot: packages(names) },
});

/** The base of read models; each may import those before it, types included. */
const projectionLayers = ['contract', 'runtime', 'shared', 'http'];

/** The pipeline of the relay: a stage may import those before it, types included, never those after. */
const relayStages = [
  ...[
    'protocol',
    'feeds',
    'upstream',
    'offload',
    'kept-responses',
    'providers',
    'routing',
    'admission',
    'settlement',
  ],
  ...[
    'delivery',
    'execution',
    'channel-checks',
    'tasks',
    'realtime',
    'response-sockets',
    'ingress',
  ],
];
const relayPipeline = relayStages.map((stage, at) => ({
  name: `relay-pipeline-${stage}`,
  severity: 'error',
  from: { path: `^relay/${stage}/`, pathNot: spec },
  to: { path: `^relay/(?!(${relayStages.slice(0, at + 1).join('|')})/)` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...mayImport('domain', []),
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^domain/', pathNot: spec },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'] },
    },
    {
      name: 'contracts-stand-alone',
      severity: 'error',
      from: { path: '^(command-api|projections)/contract/', pathNot: spec },
      to: { path: `^(${rooms.join('|')})/`, pathNot: '^$1/contract/' },
    },
    {
      name: 'contract-packages',
      severity: 'error',
      from: { path: '^(command-api|projections)/contract/', pathNot: spec },
      to: { path: 'node_modules/', pathNot: packages(['zod']) },
    },
    ...mayImport('command-api', ['domain/', 'infra/web/'], ['infra/ports/']),
    packagesOf('command-api', [
      ...server,
      '@node-rs/argon2',
      '@simplewebauthn/server',
      'otpauth',
      '@zxcvbn-ts/[^/]+',
      'bowser',
      'ipaddr[.]js',
      'lru-cache',
      'unhomoglyph',
      '@types/node',
    ]),
    ...mayImport('projections', ['domain/', 'infra/web/'], ['infra/ports/']),
    {
      // Deciding is the write side's: readers fold with `evolve` of their own read models.
      name: 'deciders-decide-for-command-api',
      severity: 'error',
      from: { path: '^(projections|relay)/', pathNot: spec },
      to: { path: '^domain/[^/]+/decider', dependencyTypesNot: ['type-only'] },
    },
    {
      // What two read models share is in one of the folders beneath them; what one reads of another
      // is in `projections/lookups.ts`.
      name: 'read-models-stay-apart',
      severity: 'error',
      from: {
        path: '^projections/([^/]+)/',
        pathNot: [spec, '^projections/(contract|runtime|shared|http)/'],
      },
      to: {
        path: '^projections/',
        pathNot: ['^projections/$1/', '^projections/(contract|runtime|shared|http)/'],
      },
    },
    ...projectionLayers.slice(1).map((folder, below) => ({
      name: `projections-${folder}-imports`,
      severity: 'error',
      from: { path: `^projections/${folder}/`, pathNot: spec },
      to: {
        path: '^projections/',
        pathNot: projectionLayers.slice(0, below + 2).map((name) => `^projections/${name}/`),
      },
    })),
    ...mayImport('infra/web', ['domain/']),
    {
      name: 'infra-web-packages',
      severity: 'error',
      from: { path: '^infra/web/', pathNot: spec },
      to: { path: 'node_modules/', pathNot: packages(['ipaddr[.]js', 'zod', '@types/node']) },
    },
    packagesOf('projections', [...server, 'kysely', 'ipaddr[.]js', '@types/node']),
    ...relayPipeline,
    ...mayImport('relay', ['domain/', 'infra/web/'], ['infra/ports/']),
    packagesOf('relay', [
      ...server,
      'undici',
      'ws',
      'socks',
      '@types/ws',
      'ipaddr[.]js',
      'gpt-tokenizer',
      'image-size',
      '@types/node',
    ]),
    {
      name: 'undici-stays-upstream',
      severity: 'error',
      from: { path: '^relay/', pathNot: [spec, '^relay/upstream/'] },
      to: { path: packages(['undici']), dependencyTypesNot: ['type-only'] },
    },
    ...mayImport('console', ['command-api/contract/', 'projections/contract/']),
    packagesOf('console', [...react, '@types/node']),
    ...mayImport('infra/(?!processes/|benchmarks/)', ['infra/', 'domain/']),
    {
      name: 'processes-import',
      severity: 'error',
      from: { path: '^infra/processes/', pathNot: spec },
      to: { path: '^(console|tests)/' },
    },
    {
      name: 'siblings-stay-apart',
      severity: 'error',
      from: { path: '^(console/features|relay/providers)/([^/]+)/', pathNot: spec },
      to: {
        path: '^$1/',
        pathNot: ['^$1/$2/', '^relay/providers/(shared/|types[.]|translate[.]|registry[.])'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The packages of the drivers are installed apart.
    exclude: { path: ['(^|/)dist/', '^tests/clients/drivers/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
