export const jobMessages = {
  'job.unknown': { zh: '没有这个定时任务', en: 'There is no such job' },
  'job.running': { zh: '该定时任务正在运行', en: 'This job is running already' },
} as const;
