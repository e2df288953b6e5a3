// A participant's endless loop of programs: the clock and the terminals of the others go on.
import { visitor, withClass } from "./class-server";
import { expect, test } from "./test";

test("a participant who submits without end stops nobody", async ({ browser }) => {
  test.setTimeout(200_000);
  await withClass([], async (server) => {
    const ada = await visitor(browser, server.participants, "ada");
    const ben = await visitor(browser, server.participants, "ben");
    await ada.type("while :; do sbatch --wrap 'sleep 10' > /dev/null; done");
    await ada.press("Enter");
    const jobs = async () => Number(await ben.run("squeue -h -u ada | wc -l"));
    await expect.poll(jobs).toBeGreaterThan(100);
    // The loop goes on, and so does the clock: for ben, a sleep ends.
    const [before, began] = [await jobs(), Date.now()];
    expect(await ben.run("sleep 3; echo awake")).toBe("awake");
    console.log(`sleep 3 took ${Date.now() - began} ms`);
    expect(await jobs()).toBeGreaterThan(before);
    await ada.press("Control+c");
    await ada.prompted();
    expect(await ada.run("echo over")).toBe("over");
    expect([...ada.errors, ...ben.errors]).toEqual([]);
  });
});
