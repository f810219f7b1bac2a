import { InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxCostRatio } from '../../../../command-api/contract/limits.ts';
import { useChannelType, useChannelTypes } from '../../../shared/channel-types.ts';
import { Field } from '../../../shared/components/field.tsx';
import { Question } from '../../../shared/components/question.tsx';
import { LoadingDrawer, SideDrawer } from '../../../shared/components/side-drawer.tsx';
import { useFormProblem, useRefusals } from '../../../shared/form-problem.ts';
import { toast } from '../../../shared/toast.ts';
import {
  type ChannelForm,
  channelQuery,
  useCreateChannel,
  useUpdateChannel,
} from '../api/channels.ts';
import {
  blankChannel,
  endsInVersion,
  fieldOf,
  formOf,
  problemOf,
  sendsKeyElsewhere,
  trimmed,
} from './channel-form.ts';
import { ModelsField } from './models-field.tsx';
import { ProviderFields } from './provider-fields.tsx';
import { ExpertFields, RoutingFields } from './routing-fields.tsx';

type EditorProps = Readonly<{
  channelId: number | null;
  initial: ChannelForm;
  onClose: () => void;
}>;

/** Which field a refusal is about. */
const refusedFields = {
  'channel.name-required': 'name',
  'channel.key-required': 'key',
  'channel.key-needed': 'key',
  'channel.key-form': 'key',
  'channel.models-required': 'models',
  'channel.model-name-length': 'models',
  'channel.priority-invalid': 'priority',
  'channel.weight-invalid': 'weight',
  'channel.max-input-invalid': 'max_input_tokens',
  'channel.cost-ratio-invalid': 'cost_ratio',
  'channel.param-override-invalid': 'param_override',
  'channel.header-override-invalid': 'setting',
  'channel.base-url-required': 'base_url',
  'channel.base-url-invalid': 'base_url',
  'channel.type-retired': 'type',
  'channel.other-required': 'other',
  'channel.region-invalid': 'other',
  'channel.region-default-required': 'other',
};

const Editor = ({ channelId, initial, onClose }: EditorProps) => {
  const { t } = useTranslation(['channel', 'common']);
  const [form, setForm] = useState(initial);
  const create = useCreateChannel();
  const update = useUpdateChannel();
  const type = useChannelType(form.type);
  const isNew = channelId === null;
  const isSaving = create.isPending || update.isPending;
  const [isWarned, setWarned] = useState(false);
  const [reason, setReason] = useState('');
  const draft = { form, reason };
  const { problem, report } = useFormProblem(draft);
  const showRefusal = useRefusals(report, refusedFields);
  const change = (changes: Partial<ChannelForm>) => setForm({ ...form, ...changes });

  const submit = () => {
    if (isSaving) {
      toast('error', t('saving'));
      return;
    }
    const wrong = problemOf(form, isNew ? null : initial);
    if (wrong !== null) {
      report(fieldOf(wrong, form), t(wrong, { max: maxCostRatio }));
      return;
    }
    if (endsInVersion(form.base_url)) setWarned(true);
    else save();
  };

  const save = () => {
    const done = (message: string) => ({
      onError: showRefusal,
      onSuccess: () => {
        toast('success', message);
        onClose();
      },
    });
    const sent = trimmed(form, type?.other?.default);
    if (isNew) create.mutate(sent, done(t('created-done')));
    else {
      const why = form.key.trim() === '' || reason.trim() === '' ? {} : { reason: reason.trim() };
      update.mutate({ ...sent, id: channelId, ...why }, done(t('updated-done')));
    }
  };

  return (
    <SideDrawer
      title={isNew ? t('create-title') : t('update-title')}
      isOpen
      side={isNew ? 'left' : 'right'}
      isSaving={isSaving}
      submitText={t('common:submit')}
      draft={draft}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <ProviderFields
        form={form}
        isNew={isNew}
        needsKey={!isNew && sendsKeyElsewhere(initial, form)}
        onChange={change}
      />
      {!isNew && form.key.trim() !== '' && (
        <Field label={t('reason')} hint={t('reason-hint')}>
          {(id) => <InputGroup id={id} maxLength={500} value={reason} onValueChange={setReason} />}
        </Field>
      )}
      <ModelsField channelId={channelId} form={form} onChange={change} />
      <h2 className="form-section">{t('section.routing')}</h2>
      <RoutingFields form={form} onChange={change} />
      <h2 className="form-section">{t('section.expert')}</h2>
      <ExpertFields form={form} onChange={change} />
      <Question
        isOpen={isWarned}
        title={t('v1-question')}
        hint={t('v1-hint')}
        intent="warning"
        confirmText={t('v1-submit')}
        onCancel={() => setWarned(false)}
        onConfirm={() => {
          setWarned(false);
          save();
        }}
      />
    </SideDrawer>
  );
};

const Existing = ({ channelId, onClose }: Readonly<{ channelId: number; onClose: () => void }>) => {
  const { t } = useTranslation('channel');
  const channel = useQuery(channelQuery(channelId));
  if (channel.data && channel.isFetchedAfterMount) {
    return <Editor channelId={channelId} initial={formOf(channel.data)} onClose={onClose} />;
  }
  return <LoadingDrawer title={t('update-title')} query={channel} onClose={onClose} />;
};

/** `null`: closed. */
export type DrawerTarget = 'new' | number | null;

export const ChannelDrawer = ({
  target,
  onClose,
}: Readonly<{ target: DrawerTarget; onClose: () => void }>) => {
  const { t } = useTranslation('channel');
  const types = useChannelTypes();
  if (target === null) return null;
  if (!types.data) {
    const title = t(target === 'new' ? 'create-title' : 'update-title');
    return <LoadingDrawer title={title} query={types} onClose={onClose} />;
  }
  return target === 'new' ? (
    <Editor channelId={null} initial={blankChannel} onClose={onClose} />
  ) : (
    <Existing key={target} channelId={target} onClose={onClose} />
  );
};
