export const id = 585;
export const ids = [585];
export const modules = {

/***/ 6585:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  dropUnused: () => (/* binding */ dropUnused),
  explainIndentation: () => (/* binding */ explainIndentation)
});

// EXTERNAL MODULE: ./build/js/source/group-by.js
var group_by = __webpack_require__(4951);
// EXTERNAL MODULE: ./build/js/source/json-pointer.js
var json_pointer = __webpack_require__(8650);
// EXTERNAL MODULE: ./build/js/source/parse-source.js
var parse_source = __webpack_require__(2511);
// EXTERNAL MODULE: ./build/js/source/to-once.js
var to_once = __webpack_require__(7835);
// EXTERNAL MODULE: ./build/js/source/is-object.js
var is_object = __webpack_require__(522);
// EXTERNAL MODULE: ./build/js/openapi/suggestions.js
var suggestions = __webpack_require__(8748);
;// CONCATENATED MODULE: ./build/js/openapi/find-misplaced.js



/**
 * Tells from the finding of a key, or of what is in it, that its line is indented wrongly, and where it should stand.
 *
 * `undefined` where nothing around has room for it.
 */
function findMisplaced(finding, document, listUnresolved) {
    for (const pointer of finding.code === 'missing-field'
        ? [finding.pointer]
        : [finding.pointer, (0,json_pointer/* parentPointer */.Yg)(finding.pointer)]) {
        const key = (0,json_pointer/* parsePointer */.vp)(pointer).at(-1);
        const inside = (0,json_pointer/* parentPointer */.Yg)(pointer);
        const parent = (0,json_pointer/* valueAtPointer */.sZ)(document.parsed.value, inside);
        if (key === undefined || !(0,is_object/* isObject */.G)(parent) || !Object.hasOwn(parent, key))
            continue;
        const place = { file: finding.file, document, pointer, inside, parent, key, value: parent[key], listUnresolved };
        const isOwn = pointer === finding.pointer;
        const misplaced = isOwn && finding.code !== 'missing-field' ? findAround(place, finding) : findAmongNames(place);
        if (misplaced)
            return misplaced;
    }
    return undefined;
}
function findAround(place, { code, hint }) {
    const { document, inside, key, value } = place;
    const spot = spotAt(document, inside);
    const shape = spot && (shapeIn(spot, key) ?? ofAnyName(spot, key));
    if (value === null && shape) {
        const strays = listStrays(place, shape);
        if (strays.length > 0)
            return toEmptied(place, strays);
    }
    if (code === 'wrong-type' && value !== null)
        return findAmongNames(place);
    // What looks mistyped, or is of a later release, is no field of another object.
    const isTold = hint !== undefined && !/^(?:a field of your own|write `\/|put `\w+` under `schema`)/.test(hint);
    if (value !== null && isTold)
        return undefined;
    const outer = findOuterHome(place);
    if (code === 'unknown-field')
        return outer ?? findInnerHome(place);
    return spot?.isMap && outer && outer.strays.length > 0 ? outer : undefined;
}
function toEmptied({ file, pointer, inside, key }, names) {
    const listed = names.slice(0, 3).map((name) => `\`${(0,suggestions/* shorten */.ml)(name)}\``);
    const hint = `indent what belongs to it: ${listed.join(', ')}${names.length > listed.length ? ', …' : ''}`;
    return { file, pointer, key, isEmpty: true, home: pointer, strays: names.map((name) => (0,json_pointer/* pointerChild */.QX)(inside, name)), hint };
}
/** The next object around has such a field and lacks it, or is a mapping of names. */
function findOuterHome(place) {
    const { file, document, pointer, inside, key, value } = place;
    for (let at = inside; at !== '';) {
        at = (0,json_pointer/* parentPointer */.Yg)(at);
        const spot = spotAt(document, at);
        const around = (0,json_pointer/* valueAtPointer */.sZ)(document.parsed.value, at);
        if (!spot || !(0,is_object/* isObject */.G)(around))
            continue;
        const shape = shapeIn(spot, key);
        const home = (0,json_pointer/* pointerChild */.QX)(at, key);
        if (!shape || Object.hasOwn(around, key))
            return undefined;
        if (!spot.table && value !== null && !place.listUnresolved().has(home))
            continue;
        const what = spot.table
            ? `a field of the ${spot.table.title} around it`
            : `a name in \`${(0,suggestions/* shorten */.ml)((0,json_pointer/* parsePointer */.vp)(at).at(-1) ?? '')}\``;
        const strays = value === null ? listStrays(place, shape) : [];
        return {
            file,
            pointer,
            key,
            isEmpty: value === null,
            home,
            strays: strays.map((name) => (0,json_pointer/* pointerChild */.QX)(inside, name)),
            hint: `it is ${what}: indent it less`,
        };
    }
    return undefined;
}
/** What stands before it has such a field and lacks it, or is a mapping of names in which it is looked for. */
function findInnerHome({ file, document, pointer, inside, parent, key, value, listUnresolved }) {
    let found;
    for (const [name, before] of Object.entries(parent)) {
        if (name === key)
            break;
        if (!(0,is_object/* isObject */.G)(before) || Object.hasOwn(before, key) || Object.hasOwn(before, '$ref'))
            continue;
        const spot = spotAt(document, (0,json_pointer/* pointerChild */.QX)(inside, name));
        const home = (0,json_pointer/* pointerChild */.QX)((0,json_pointer/* pointerChild */.QX)(inside, name), key);
        const fits = spot?.table ? shapeIn(spot, key) !== undefined : spot?.isMap && listUnresolved().has(home);
        if (!spot || !fits)
            continue;
        const what = spot.table ? `a field of the ${spot.table.title} above` : `a name in \`${(0,suggestions/* shorten */.ml)(name)}\``;
        found = { file, pointer, key, isEmpty: value === null, home, strays: [], hint: `it is ${what}: indent it` };
    }
    return found;
}
/** A field that stands beside the name of its object, in a mapping of names. */
function findAmongNames({ file, document, pointer, inside, parent, key }) {
    const spot = spotAt(document, inside);
    if (!spot?.isMap || !spot.entries)
        return undefined;
    const entry = toSpot(spot.entries);
    const keys = Object.keys(parent);
    const name = keys[keys.indexOf(key) - 1];
    const before = name === undefined ? undefined : parent[name];
    if (name === undefined || !entry.table || !shapeIn(entry, key))
        return undefined;
    if (!(0,is_object/* isObject */.G)(before) || Object.hasOwn(before, key) || Object.hasOwn(before, '$ref'))
        return undefined;
    return {
        file,
        pointer,
        key,
        isEmpty: false,
        home: (0,json_pointer/* pointerChild */.QX)((0,json_pointer/* pointerChild */.QX)(inside, name), key),
        strays: [pointer],
        hint: `it is a field of the ${entry.table.title} above: indent it`,
        message: `Unexpected \`${(0,suggestions/* shorten */.ml)(key)}\` beside \`${(0,suggestions/* shorten */.ml)(name)}\`, expected in it`,
    };
}
/** The keys behind an empty one that are fields of what is expected there. Keys that are numbers come first in any object. */
function listStrays({ document, inside, parent, key }, shape) {
    const keys = Object.keys(parent);
    const behind = keys.indexOf(key);
    const spot = spotAt(document, inside);
    const inner = toSpot(shape);
    return keys.filter((other, index) => {
        if (other === key || (index < behind && !/^\d+$/.test(other)))
            return false;
        if (other === '$ref')
            return inner.table !== undefined && inner.table.reference !== 'none';
        const isInPlace = spot?.table !== undefined && shapeIn(spot, other) !== undefined;
        return !isInPlace && shapeIn(inner, other) !== undefined && shape.kind !== 'list';
    });
}
/** Tells what is expected at a pointer, from the nearest place around it that the document was walked from. */
function spotAt({ walkedFrom }, pointer) {
    for (let from = pointer;; from = (0,json_pointer/* parentPointer */.Yg)(from)) {
        const top = walkedFrom.get(from);
        if (top) {
            let spot = { table: top, entries: undefined, isMap: false };
            for (const segment of (0,json_pointer/* parsePointer */.vp)(pointer.slice(from.length))) {
                const shape = spot && (shapeIn(spot, segment) ?? ofAnyName(spot, segment));
                spot = shape && toSpot(shape);
            }
            if (spot)
                return spot;
        }
        if (from === '')
            return undefined;
    }
}
/** What is expected of a field or an entry; absent where nothing of this very name is. */
function shapeIn({ table, entries }, name) {
    if (!table)
        return entries;
    if (name.startsWith('x-'))
        return undefined;
    const field = table.fields.get(name) ??
        [...(table.variants?.tables.values() ?? [])].find(({ fields }) => fields.has(name))?.fields.get(name);
    // A pattern that takes any name tells nothing.
    return field?.shape ?? table.patterns.find(({ pattern }) => pattern.test(name) && !pattern.test('name'))?.shape;
}
/** A Callback Object takes what is an expression, and that can be any text. */
function ofAnyName({ table }, name) {
    return name.startsWith('x-') ? undefined : table?.patterns.find(({ pattern }) => pattern.test(name))?.shape;
}
/** What is expected in a value of a shape. */
function toSpot(shape) {
    if (shape.kind === 'list' || shape.kind === 'map')
        return { table: undefined, entries: shape.inner, isMap: shape.kind === 'map' };
    return { table: shape.table ?? shape.inner?.table, entries: undefined, isMap: false };
}

;// CONCATENATED MODULE: ./build/js/openapi/explain-indentation.js





/** More are not looked at: who has so many faults has another one. */
const maxLookedAt = 500;
/**
 * Makes one finding of all that a line of YAML at the wrong indentation leads to.
 *
 * A key that has lost what belongs to it is empty, and its fields stand beside it; a field that stands too far in or out is one that its
 * object does not have. Each of these, and each reference to what is below them, has a finding of its own else.
 */
async function explainIndentation(found) {
    const misplaced = listMisplaced(found);
    if (misplaced.size === 0)
        return found.findings;
    const settled = await settle(new Set(misplaced.values()), found.sources);
    if (settled.size === 0)
        return found.findings;
    const told = new Set();
    return found.findings.flatMap((finding) => {
        const each = misplaced.get(finding);
        if (each && settled.get(each.file)?.pointers.has(each.pointer)) {
            if (told.has(each))
                return [];
            told.add(each);
            return explain(finding, each);
        }
        return isConsequence(finding, settled, found.documents) ? [] : finding;
    });
}
function explain(finding, { pointer, hint, message }) {
    if (message === undefined || finding.code === 'wrong-type')
        return { ...finding, hint };
    return { ...finding, code: 'unknown-field', message, pointer, on: 'key', hint };
}
/** Each finding that is one of a misplaced key; several can be of the same. */
function listMisplaced({ findings, documents }) {
    const misplaced = new Map();
    const byPointer = new Map();
    if (![...documents.values()].some(({ parsed }) => parsed.syntax === 'yaml'))
        return misplaced;
    const listUnresolved = (0,to_once/* toOnce */.d)(() => new Set(findings.map((finding) => targetOf(finding, documents) ?? '')));
    let lookedAt = 0;
    for (const finding of findings) {
        const { code, file, severity } = finding;
        if ((code !== 'unknown-field' && code !== 'wrong-type' && code !== 'missing-field') || severity !== undefined)
            continue;
        const document = documents.get(file);
        if (document?.parsed.syntax !== 'yaml')
            continue;
        if (++lookedAt > maxLookedAt)
            break;
        const each = findMisplaced(finding, document, listUnresolved);
        if (!each)
            continue;
        const id = `${file}\n${each.pointer}`;
        const known = byPointer.get(id) ?? each;
        byPointer.set(id, known);
        misplaced.set(finding, known);
    }
    // What stands beside an empty key because that one is misplaced is no fault of its own.
    const strays = new Set([...byPointer.values()].flatMap((each) => each.strays.filter((stray) => stray !== each.pointer).map((stray) => `${each.file}\n${stray}`)));
    for (const [finding, { file, pointer }] of misplaced)
        if (isBelow(`${file}\n${pointer}`, strays))
            misplaced.delete(finding);
    return misplaced;
}
function isConsequence(finding, settled, documents) {
    const { code, file, pointer, offsets, message, related } = finding;
    // Nobody can tell what is not used, not there or does not fit while a part of the description stands elsewhere.
    if (uncertain.has(code))
        return true;
    const here = settled.get(file);
    if (offsets)
        return (code === 'duplicate-key' && (here?.repeats.some(({ start, end }) => offsets.start > start && offsets.start < end) ?? false));
    if (here && isBelow(pointer, here.strays))
        return true;
    if (code === 'path-parameter')
        return here?.emptied.some((each) => pointer.startsWith(`${(0,json_pointer/* parentPointer */.Yg)(each)}/`)) ?? false;
    if (code === 'missing-field')
        return message.startsWith(`Missing \`${here?.lacking.get(pointer) ?? ''}\``);
    const target = code === 'reference-kind' ? related?.[0]?.pointer : targetOf(finding, documents);
    return (target !== undefined && [...settled.values()].some(({ homes }) => homes.some((home) => `${target}/`.startsWith(`${home}/`))));
}
const uncertain = new Set([
    'unused-component',
    'link-target',
    'tag-undeclared',
    'discriminator-property',
    'discriminator-mapping',
    'server-variable',
    'example-mismatch',
    'default-mismatch',
    'enum-mismatch',
]);
/** What a finding looks for and does not find, as a pointer into its file. */
function targetOf({ code, file, pointer }, documents) {
    if (code === 'security-scheme')
        return (0,json_pointer/* pointerChild */.QX)('/components/securitySchemes', (0,json_pointer/* parsePointer */.vp)(pointer).at(-1) ?? '');
    if (code !== 'reference-unresolved')
        return undefined;
    const reference = (0,json_pointer/* valueAtPointer */.sZ)(documents.get(file)?.parsed.value, pointer);
    return typeof reference === 'string' && reference.startsWith('#/') ? reference.slice(1) : undefined;
}
function isBelow(pointer, tops) {
    for (let at = pointer; at !== ''; at = (0,json_pointer/* parentPointer */.Yg)(at))
        if (tops.has(at))
            return true;
    return false;
}
/** Keeps the keys that begin their line: the others stand in braces, where indentation means nothing. */
async function settle(misplaced, sources) {
    const settled = new Map();
    for (const [file, inFile] of (0,group_by/* groupBy */.$)(misplaced, (each) => each.file)) {
        const source = sources.get(file);
        if (!source)
            continue;
        const here = { pointers: new Set(), strays: new Set(), homes: [], lacking: new Map(), emptied: [], repeats: [] };
        const places = await (0,parse_source/* locatePointers */.F8)(source, inFile.map(({ pointer }) => pointer));
        for (const { pointer, strays, home, key, isEmpty } of inFile) {
            const start = places.get(pointer)?.key?.start ?? 0;
            const column = start - (source.text.lastIndexOf('\n', start - 1) + 1);
            if (!/^[ -]*$/.test(source.text.slice(start - column, start)))
                continue;
            here.pointers.add(pointer);
            for (const stray of [pointer, ...strays])
                here.strays.add(stray);
            here.homes.push(home);
            here.lacking.set((0,json_pointer/* parentPointer */.Yg)(home), key);
            if (!isEmpty)
                continue;
            here.emptied.push(pointer);
            here.repeats.push({ start, end: findEnd(source.text, start, column) });
        }
        if (here.pointers.size > 0)
            settled.set(file, here);
    }
    return settled;
}
/** The end of the mapping with a key in this column: the next line that stands farther out. Empty lines and comments end none. */
function findEnd(text, start, column) {
    if (column === 0)
        return text.length;
    const fartherOut = new RegExp(`\\n {0,${Math.min(column, 1_000) - 1}}[^\\s#]`, 'g');
    fartherOut.lastIndex = start;
    return fartherOut.exec(text)?.index ?? text.length;
}
/** More faults, and more values in each, are not looked at. */
const maxFaults = 500;
const maxValues = 20_000;
/** Takes away that a component is not used where something that names it has a fault, and so was not read. */
function dropUnused(findings, documents) {
    if (!findings.some(({ code }) => code === 'unused-component'))
        return findings;
    const faults = findings.filter(({ code }) => unread.has(code)).slice(0, maxFaults);
    if (faults.length === 0)
        return findings;
    const named = listNames(faults, documents);
    return findings.filter(({ code, pointer }) => code !== 'unused-component' || !named.has((0,json_pointer/* parsePointer */.vp)(pointer).at(-1) ?? ''));
}
const unread = new Set(['unknown-field', 'wrong-type', 'security-scheme', 'reference-unresolved']);
/** All words of the values that have a fault, and of what was meant instead. */
function listNames(faults, documents) {
    const names = new Set();
    const add = (text) => {
        for (const word of text.slice(0, 300).match(/[\w.-]+/g) ?? [])
            names.add(word);
    };
    const waiting = [];
    for (const { file, pointer, hint } of faults) {
        add(hint ?? '');
        waiting.push((0,json_pointer/* valueAtPointer */.sZ)(documents.get(file)?.parsed.value, pointer));
    }
    for (let count = 0; waiting.length > 0 && count < maxValues; count++) {
        const value = waiting.pop();
        if (typeof value === 'string')
            add(value);
        else if (typeof value === 'object' && value !== null) {
            if (!Array.isArray(value))
                for (const key of Object.keys(value))
                    names.add(key);
            for (const entry of Object.values(value))
                waiting.push(entry);
        }
    }
    return names;
}


/***/ })

};
