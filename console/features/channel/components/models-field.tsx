import { Button, ControlGroup, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { MultiPicker, mergeNames } from '../../../shared/components/multi-picker.tsx';
import { toast } from '../../../shared/toast.ts';
import {
  type ChannelForm,
  useCatalogue,
  useFetchModels,
  useModelsByType,
} from '../api/channels.ts';
import { namesOf } from './channel-form.ts';

type Props = Readonly<{
  channelId: number | null;
  form: ChannelForm;
  onChange: (changes: Partial<ChannelForm>) => void;
}>;

export const useRelatedModels = () => {
  const { data } = useModelsByType();
  return (type: number): readonly string[] => data?.[String(type)] ?? [];
};

export const ModelsField = ({ channelId, form, onChange }: Props) => {
  const { t } = useTranslation('channel');
  const catalogue = useCatalogue().data ?? [];
  const relatedModels = useRelatedModels();
  const fetchModels = useFetchModels();
  const [custom, setCustom] = useState('');
  const chosen = namesOf(form.models);
  const set = (names: readonly string[]) => onChange({ models: names.join(',') });
  const add = (names: readonly string[]) => set(mergeNames(chosen, names));

  const fetchFromProvider = () => {
    if (channelId === null && form.key.trim() === '') {
      toast('error', t('key-missing'));
      return;
    }
    fetchModels.mutate(
      { id: channelId, form },
      {
        onSuccess: (names) => {
          add(names ?? []);
          toast('success', t('fetch-done', { number: names?.length ?? 0 }));
        },
      },
    );
  };

  const addCustom = () => {
    const names = namesOf(custom);
    if (names.length === 0) return;
    if (names.some((name) => chosen.includes(name))) return toast('error', t('custom-exists'));
    add(names);
    setCustom('');
    toast('success', t('custom-added', { count: names.length, names: names.join(', ') }));
  };

  const related = relatedModels(form.type);
  return (
    <Field
      label={t('models')}
      name="models"
      isRequired
      hint={t('models-hint', { number: chosen.length })}
    >
      {(id) => (
        <>
          <MultiPicker
            id={id}
            values={chosen}
            options={mergeNames(related, catalogue)}
            canAdd
            placeholder={t('models-placeholder')}
            onChange={set}
          />
          <div className="field-buttons">
            <Button
              size="small"
              intent="primary"
              variant="outlined"
              text={t('fill-related')}
              disabled={related.length === 0}
              onClick={() => add(related)}
            />
            <Button
              size="small"
              text={t('fill-all')}
              disabled={catalogue.length === 0}
              onClick={() => add(catalogue)}
            />
            <Button
              size="small"
              text={t('fetch')}
              loading={fetchModels.isPending}
              onClick={fetchFromProvider}
            />
            <Button
              size="small"
              text={t('clear-models')}
              disabled={chosen.length === 0}
              onClick={() => set([])}
            />
          </div>
          <ControlGroup fill className="custom-model">
            <InputGroup
              fill
              aria-label={t('custom-model')}
              placeholder={`${t('custom-model')} (${t('custom-model-hint')})`}
              value={custom}
              onValueChange={setCustom}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                addCustom();
              }}
            />
            <Button text={t('custom-fill')} onClick={addCustom} />
          </ControlGroup>
        </>
      )}
    </Field>
  );
};
