import { png, svg } from '../../pictures.js';
import type { Service } from '../../service.js';
import type { Writer } from '../writer.js';
import { bytesOf, fresh, hash, layerOf, makeLayer, sized, type Values, without } from './support.js';

export const styles: Writer = {
  name: 'styles',
  prepare: async (service) => {
    await makeLayer(service, 'w_styles', sized);
    return styles.read(service);
  },
  read: async (service) => {
    const { css_style, visualSettings } = await service.make('GET', layerOf('w_styles'));
    const { css_style: map } = await service.make('GET', '/w_styles/');
    return { css_style, map, visual: visualSettings?.type ?? null };
  },
  plan(state: Values, random) {
    const color = `#${random.below(0xffffff).toString(16).padStart(6, '0')}`;
    if (random.chance(0.3)) {
      const visual = random.pick([null, 1, 3]);
      const body = { visualSettings: visual && { type: visual, columnCode: 'size' } };
      return {
        after: { ...state, visual },
        send: (service) => service.make('PATCH', layerOf('w_styles'), body),
      };
    }
    const isMap = random.chance(0.5);
    const css_style = isMap ? `Map { background-color: ${color}; }` : `#a { marker-fill: ${color}; }`;
    const after = isMap ? { ...state, map: css_style } : { ...state, css_style };
    return {
      after,
      send: (service) => service.make('PATCH', isMap ? '/w_styles/' : layerOf('w_styles'), { css_style }),
    };
  },
};

export const maps: Writer = {
  name: 'maps',
  prepare: async () => ({}),
  read: async (service) => {
    const all: Values[] = await service.make('GET', '/maps/public/');
    return Object.fromEntries(
      all.filter(({ code }) => /^m\d/.test(String(code))).map(({ code, name }) => [code, name]),
    );
  },
  plan(state: Values, random) {
    const codes = Object.keys(state);
    const name = fresh('name');
    if (codes.length < 3 || (codes.length < 10 && random.chance(0.4))) {
      const code = fresh('m');
      return {
        after: { ...state, [code]: name },
        send: (service) => service.make('POST', '/', { code, name }),
      };
    }
    const code = random.pick(codes);
    if (random.chance(0.5))
      return {
        after: { ...state, [code]: name },
        send: (service) => service.make('PATCH', `/${code}/`, { name }),
      };
    return { after: without(state, code), send: (service) => service.make('DELETE', `/${code}/`) };
  },
};

export const rights: Writer = {
  name: 'rights',
  prepare: async (service) => {
    await service.make('POST', '/', { code: 'w_rights' });
    for (const login of ['ann', 'bob'])
      await service.make('POST', '/users/', { login, password: 'a-password-of-one' });
    return rights.read(service);
  },
  async read(service) {
    const grants: Values[] = await service.make('GET', '/w_rights/rights/');
    return Object.fromEntries(
      grants.filter(({ user }) => user === 'ann' || user === 'bob').map(({ user, right }) => [user, right]),
    );
  },
  plan(state: Values, random) {
    const [ann, bob] = [random.pick(['view', 'edit']), random.pick(['view', 'edit'])];
    const body = [
      { user: 'ann', right: ann },
      { user: 'bob', right: bob },
    ];
    return {
      after: { ...state, ann, bob },
      send: (service) => service.make('PUT', '/w_rights/rights/', body),
    };
  },
};

/** Files of an object. State: name → hash of the content. */
export const files: Writer = {
  name: 'files',
  prepare: async (service) => {
    const layer = await makeLayer(service, 'w_files', { photos: 'file' });
    await service.make('POST', `${layer}objects/`, { fields: {} });
    return {};
  },
  async read(service) {
    const all: Values[] = await service.make('GET', `${layerOf('w_files')}objects/1/files/?field=photos`);
    const state: Values = {};
    for (const { name, uuid } of all)
      state[String(name)] = hash(await bytesOf(service, `/files/${uuid}/`).catch(() => Buffer.from('')));
    return state;
  },
  plan(state: Values, random) {
    const path = `${layerOf('w_files')}objects/1/files/`;
    const names = Object.keys(state);
    if (names.length < 3 || (names.length < 12 && random.chance(0.5))) {
      const name = `${fresh('f')}.png`;
      const bytes = png(20 + random.below(100), 20 + random.below(100), [random.below(255), 0, 0]);
      const after = { ...state, [name]: hash(bytes) };
      return {
        after,
        send: (service) => service.upload('POST', `${path}?field=photos`, name, bytes),
      };
    }
    const name = random.pick(names);
    const send = async (service: Service) => {
      const all: Values[] = await service.make('GET', `${path}?field=photos`);
      const { id } = all.find((file) => file.name === name)!;
      return service.make('DELETE', `${path}${id}/?field=photos`);
    };
    return { after: without(state, name), send };
  },
};

/** Icons. State: name → colour. */
export const icons: Writer = {
  name: 'icons',
  prepare: async () => ({}),
  async read(service) {
    const all: Values[] = await service.make('GET', '/icons/');
    const state: Values = {};
    for (const { name } of all.filter((icon) => /^icon\d/.test(String(icon.name)))) {
      const picture = await bytesOf(service, `/icons/${name}/`).catch(() => Buffer.from(''));
      state[String(name)] = /#[0-9a-f]{6}/.exec(picture.toString())?.[0] ?? 'not there';
    }
    return state;
  },
  plan(state: Values, random) {
    const names = Object.keys(state);
    const color = `#${(0x100000 + random.below(0xe00000)).toString(16)}`;
    if (names.length < 8 || random.chance(0.6)) {
      const name = random.chance(0.5) && names.length ? random.pick(names) : fresh('icon');
      const send = (service: Service) => service.upload('PUT', `/icons/${name}/`, `${name}.svg`, svg(color));
      return { after: { ...state, [name]: color }, send };
    }
    const name = random.pick(names);
    return {
      after: without(state, name),
      send: (service) => service.make('DELETE', `/icons/${name}/`),
    };
  },
};
