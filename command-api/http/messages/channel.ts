export const channelMessages = {
  'channel.already-created': { zh: '渠道已存在', en: 'The channel exists already' },
  'channel.balance-invalid': { zh: '渠道余额无效', en: 'The balance is not a number' },
  'channel.type-unknown': { zh: '未知的渠道类型 {type}', en: 'There is no channel type {type}' },
  'channel.type-retired': {
    zh: '渠道类型 {type} 已停用，请改用 {successor} 类型，代理地址填 {address}',
    en: 'Channel type {type} is retired; use type {successor} with the base URL {address}',
  },
  'channel.name-required': {
    zh: '请填写渠道名称和渠道密钥！',
    en: 'Enter a name and a key for the channel',
  },
  'channel.key-required': {
    zh: '请填写渠道名称和渠道密钥！',
    en: 'Enter a name and a key for the channel',
  },
  'channel.key-needed': {
    zh: '更改类型、地址或代理时须重新填写密钥：已保存的密钥不会发往新的目标',
    en: 'Enter the key again: a stored key is not sent to another provider, address or proxy',
  },
  'channel.key-form': {
    zh: '密钥格式不正确，应为 {form}',
    en: 'The key must have the form {form}',
  },
  'channel.models-required': { zh: '请至少选择一个模型！', en: 'Choose at least one model' },
  'channel.model-name-length': {
    zh: '模型名称过长：{model}（最多 {max} 个字符）',
    en: 'The model name {model} is longer than {max} characters',
  },
  'channel.priority-invalid': {
    zh: '优先级必须是整数！（不小于 {min}）',
    en: 'The priority must be a whole number of at least {min}',
  },
  'channel.weight-invalid': {
    zh: '权重必须是非负整数！',
    en: 'The weight must be a whole number of at least 0',
  },
  'channel.max-input-invalid': {
    zh: '最大输入 Token 数必须是非负整数，0 表示不限',
    en: 'The most input tokens must be a whole number of at least 0; 0 means no limit',
  },
  'channel.cost-ratio-invalid': {
    zh: '成本倍率必须是 0 到 1000 之间的数字，如 0.8',
    en: 'The cost ratio must be a number from 0 to 1000, such as 0.8',
  },
  'channel.json-invalid': {
    zh: '{field}必须是合法的 JSON 格式！',
    en: '{field} must be a JSON object',
  },
  'channel.param-override-invalid': {
    zh: '参数覆盖中的 operations 无效：每项需要 mode（set、delete、append、prepend、move）和路径',
    en: 'operations of the parameter override: each needs a mode (set, delete, append, prepend, move) and its path',
  },
  'channel.header-override-invalid': {
    zh: '请求头「{header}」不能这样覆盖',
    en: 'The header {header} cannot be overridden like this',
  },
  'channel.base-url-required': {
    zh: '该类型的渠道必须填写代理地址',
    en: 'A channel of this type needs a base URL',
  },
  'channel.base-url-invalid': {
    zh: '代理地址必须以 http:// 或 https:// 开头',
    en: 'The base URL must start with http:// or https://',
  },
  'channel.other-required': {
    zh: '该类型的渠道必须填写附加信息（版本、地区或编号）',
    en: 'A channel of this type needs its extra field (version, region or id)',
  },
  'channel.region-invalid': {
    zh: '部署地区「{region}」无效，应为 us-central1 这样的名称',
    en: '{region} is not a region; write a name such as us-central1',
  },
  'channel.region-default-required': {
    zh: '部署地区必须包含 default 字段',
    en: 'The region map needs an entry named default',
  },
  'channel.test-unsupported': {
    zh: '该类型的渠道不支持测试',
    en: 'Channels of this type cannot be tested',
  },
  'channel.test-running': { zh: '测试已在运行中', en: 'A test of all channels is under way' },
  'channel.no-relay': {
    zh: '没有可用的中继进程，请稍后重试',
    en: 'No relay answers right now, try again in a moment',
  },
  'channel.balance-unsupported': {
    zh: '该类型的渠道尚未实现余额查询',
    en: 'The balance of a channel of this type cannot be queried',
  },
  'channel.balance-not-read': {
    zh: '查询余额失败',
    en: 'The provider did not return its balance',
  },
  'channel.models-not-fetched': {
    zh: '获取模型列表失败',
    en: 'The list of models could not be read',
  },
} as const;

/** Fields of a channel as the form names them. */
export const channelFieldNames = {
  modelMapping: { zh: '模型映射', en: 'Model mapping' },
  statusCodeMapping: { zh: '状态码复写', en: 'Status code mapping' },
  setting: { zh: '渠道额外设置', en: 'Extra settings' },
  paramOverride: { zh: '参数覆盖', en: 'Parameter override' },
} as const;
