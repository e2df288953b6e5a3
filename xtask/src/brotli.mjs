// Compresses every file below a folder with brotli at the highest level, as a good web host would, to NAME.br below another.
// Node's brotli is compiled for speed and runs on all cores.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const [from, to] = process.argv.slice(2);
const compress = promisify(brotliCompress);
const entries = await readdir(from, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(from.length + 1));
await Promise.all(
    files.map(async (file) => {
        const bytes = await readFile(join(from, file));
        const params = {
            [constants.BROTLI_PARAM_QUALITY]: 11,
            [constants.BROTLI_PARAM_LGWIN]: 22,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        };
        const target = join(to, `${file}.br`);
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, await compress(bytes, { params }));
    }),
);
