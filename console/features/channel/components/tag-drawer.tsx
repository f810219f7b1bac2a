import { Button, Callout, InputGroup, TextArea } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../shared/components/field.tsx';
import { MultiPicker } from '../../../shared/components/multi-picker.tsx';
import { SideDrawer } from '../../../shared/components/side-drawer.tsx';
import { toast } from '../../../shared/toast.ts';
import { useCatalogue, useGroups } from '../api/channels.ts';
import { type TagChange, useChangeTag } from '../api/tags.ts';
import { isJsonObject, jsonTemplates, namesOf } from './channel-form.ts';

type Props = Readonly<{ tag: string; onClose: () => void }>;

/** Only what was touched; null when nothing was. */
const changeOf = (
  tag: string,
  draft: Readonly<{ newTag: string; models: string; groups: string; mapping: string }>,
): TagChange | null => {
  const newTag = draft.newTag.trim();
  const change: TagChange = {
    tag,
    ...(newTag !== tag && { new_tag: newTag }),
    ...(draft.models !== '' && { models: draft.models }),
    ...(draft.groups !== '' && { groups: draft.groups }),
    ...(draft.mapping.trim() !== '' && { model_mapping: draft.mapping.trim() }),
  };
  return Object.keys(change).length > 1 ? change : null;
};

/** Edits every channel of a tag at once. An empty field leaves theirs as it is. */
export const TagDrawer = ({ tag, onClose }: Props) => {
  const { t } = useTranslation(['channel', 'common']);
  const [newTag, setNewTag] = useState(tag);
  const [models, setModels] = useState('');
  const [groups, setGroups] = useState('');
  const [mapping, setMapping] = useState('');
  const catalogue = useCatalogue().data ?? [];
  const knownGroups = useGroups().data ?? [];
  const save = useChangeTag();

  const submit = () => {
    const change = changeOf(tag, { newTag, models, groups, mapping });
    if (change === null) return toast('hint', t('tag-unchanged'));
    if (!isJsonObject(mapping)) return toast('error', t('json-wrong.model_mapping'));
    const done = () => {
      toast('success', t('tag-updated'));
      onClose();
    };
    save.mutate(change, { onSuccess: done });
  };

  return (
    <SideDrawer
      title={t('tag-edit')}
      isOpen
      side="right"
      isSaving={save.isPending}
      submitText={t('common:submit')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Callout intent="warning" compact>
        {t('tag-warning')}
      </Callout>
      <Field label={t('tag-name')} hint={t('tag-name-hint')}>
        {(id) => <InputGroup id={id} value={newTag} onValueChange={setNewTag} />}
      </Field>
      <Field label={t('models')} hint={t('empty-keeps')}>
        {(id) => (
          <MultiPicker
            id={id}
            values={namesOf(models)}
            options={catalogue}
            canAdd
            placeholder={t('models-placeholder')}
            onChange={(names) => setModels(names.join(','))}
          />
        )}
      </Field>
      <Field label={t('groups')} hint={t('empty-keeps')}>
        {(id) => (
          <MultiPicker
            id={id}
            values={namesOf(groups)}
            options={knownGroups}
            canAdd
            placeholder={t('groups-placeholder')}
            onChange={(names) => setGroups(names.join(','))}
          />
        )}
      </Field>
      <Field
        label={t('json.model_mapping')}
        hint={t('empty-keeps')}
        aside={
          <>
            <Button
              size="small"
              variant="minimal"
              text={t('template')}
              onClick={() => setMapping(jsonTemplates.model_mapping)}
            />
            <Button
              size="small"
              variant="minimal"
              text={t('mapping-clear')}
              onClick={() => setMapping('{}')}
            />
            <Button
              size="small"
              variant="minimal"
              text={t('mapping-keep')}
              onClick={() => setMapping('')}
            />
          </>
        }
      >
        {(id) => (
          <TextArea
            id={id}
            fill
            autoResize
            className="mono"
            spellCheck={false}
            intent={isJsonObject(mapping) ? 'none' : 'danger'}
            value={mapping}
            onChange={(event) => setMapping(event.currentTarget.value)}
          />
        )}
      </Field>
    </SideDrawer>
  );
};
