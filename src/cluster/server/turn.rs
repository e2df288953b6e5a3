//! The server's loop: processes due events, carries out orders, moves data, sleeps.

use super::{Server, ServerEvent};
use crate::real_now;
use crate::wire::ToClient;
use base::time::Span;
use engine::world::real_host::{ProgramStart, RealHostOrder};
use host::Status;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Events between two checks of clients and programs.
const SLICE: u32 = 64;
/// Slices between two checks of the clock.
const SLICES: u32 = 32;
/// Maximum number of output bytes that a client may leave unread.
const MAX_BACKLOG: usize = 256 << 10;
/// Maximum number of messages handled per turn.
const MESSAGES: usize = 256;
/// The pipes of an ended program are closed after this time, because a daemon may hold them open.
pub const CLOSE_AFTER: Duration = Duration::from_millis(300);
/// A command whose client has disconnected is killed after this time.
pub const LOST_AFTER: Duration = Duration::from_secs(2);
/// Delay from a decision of slurmctld to a signal on a node.
const SIGNAL_DELAY: Duration = Duration::from_millis(20);
/// How long virtual time ahead of the clock pauses after a signal.
const HOLD: Duration = Duration::from_millis(500);
/// How far virtual time runs at the pace `max` while nothing happens.
pub const MAX_LEAP: Span = Span::from_secs(86_400);

impl Server {
    /// Runs until the cluster ends.
    pub fn run_loop(&mut self) {
        while !self.down && !self.is_abandoned() {
            let more = self.turn();
            let sleep = if more { Duration::ZERO } else { self.sleep_time() };
            match self.events.recv_timeout(sleep) {
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            for _ in 0..MESSAGES {
                let Ok(event) = self.events.try_recv() else { break };
                self.handle(event);
            }
        }
    }

    /// Kills all programs, and tells the clients.
    pub fn end(&mut self) {
        self.programs.end_all();
        for client in self.clients.values().filter(|client| client.command.is_some() && client.lost.is_none())
        {
            client.connection.send(ToClient::Error(b"sandbatch: the cluster ends\n".to_vec()));
            client.connection.send(ToClient::Exit(1));
        }
        // The writer threads need a moment to send the last messages.
        std::thread::sleep(Duration::from_millis(20));
    }

    fn sleep_time(&self) -> Duration {
        let now = real_now();
        let mut sleep = match self.held {
            Some(until) => until.saturating_duration_since(now),
            None => self.clock.until(self.world.next_event()),
        };
        let soon = self.closing.iter().map(|(at, _)| *at);
        let soon = soon.chain(self.clients.values().filter_map(|client| client.lost));
        for at in soon
            .chain(self.held)
            .chain(self.signals.front().map(|(at, _)| *at))
            .chain(self.faults.next_delayed())
            .chain(self.waiters.iter().map(|waiter| waiter.until))
        {
            sleep = sleep.min(at.saturating_duration_since(now));
        }
        sleep.max(Duration::from_micros(200))
    }

    /// Whether the cluster is no longer needed.
    fn is_abandoned(&self) -> bool {
        if let Some(parent) = self.parent
            && let Some(pid) = i32::try_from(parent).ok().and_then(rustix::process::Pid::from_raw)
            && rustix::process::test_kill_process(pid) == Err(rustix::io::Errno::SRCH)
        {
            return true;
        }
        let in_use =
            || self.world.has_programs() || self.clients.values().any(|client| client.command.is_some());
        self.idle.is_some_and(|idle| self.busy_at.elapsed() > idle && !in_use())
    }

    /// Processes due events. Returns true if more can be processed at once.
    fn turn(&mut self) -> bool {
        for _ in 0..SLICES {
            let target = self.target();
            let mut did = false;
            for _ in 0..SLICE {
                if !self.world.step(target) {
                    break;
                }
                did = true;
                if self.world.has_real_host_orders() {
                    break;
                }
            }
            let moved = self.pump();
            if !did && !moved {
                self.reached(target);
                return false;
            }
        }
        true
    }

    /// The virtual time up to which events may be processed now.
    fn target(&mut self) -> base::time::Time {
        if self.held.take_if(|until| *until <= real_now()).is_none() && self.held.is_some() {
            return self.world.now;
        }
        let due = self.clock.due();
        if let Some((ahead, _)) = self.ahead {
            return ahead.max(due);
        }
        if !self.clock.is_unbounded() || self.world.has_programs() {
            return due;
        }
        // At the pace `max`: up to the next event, until events change something.
        let mark = self.world.ctld.jobs.values().filter(|job| !job.state.ended()).count();
        let mark = u64::try_from(mark).unwrap_or(0);
        if mark != self.leap_mark {
            self.leap_mark = mark;
            self.leap_end = self.world.now + MAX_LEAP;
        }
        let waits = mark > 0 || self.clients.values().any(|client| client.command.is_some());
        match self.world.next_event().filter(|at| waits && *at <= self.leap_end) {
            Some(next) if next > due => {
                self.clock.catch_up(next);
                next
            }
            Some(_) | None => due,
        }
    }

    /// Notes that nothing more happens until this time.
    fn reached(&mut self, target: base::time::Time) {
        if self.held.is_some() {
            return;
        }
        if let Some((_, client)) = self.ahead.take_if(|(ahead, _)| *ahead <= target) {
            self.clock.catch_up(self.world.now);
            if let Some(client) = client {
                self.answer(client, Ok(format!("{}\n", self.world.now.iso())));
            }
        }
    }

    /// Carries out orders and moves data. Returns true if anything happened that may cause events.
    fn pump(&mut self) -> bool {
        let mut moved = false;
        while let Some((client, request)) = self.faults.take_delayed() {
            self.start(client, request);
            moved = true;
        }
        while let Some((request, reply)) = self.faults.take_delayed_rest() {
            self.rest(&request, reply);
            moved = true;
        }
        self.note_records();
        for order in self.world.take_real_host_orders() {
            moved = true;
            self.delay(order);
        }
        self.deliver_signals();
        moved |= self.pump_clients();
        moved |= self.pump_rest();
        let world = &self.world;
        self.programs.permit(|pid| world.program_backlog(pid));
        let now = real_now();
        for (_, pid) in self.closing.extract_if(.., |(at, _)| *at <= now).collect::<Vec<_>>() {
            self.world.program_output(pid, 0, &[]);
            self.world.program_output(pid, 1, &[]);
            moved = true;
        }
        self.answer_waiters();
        moved
    }

    /// Carries out an order, with a short delay for signals: a real slurmctld answers `scontrol requeue` before slurmd
    /// kills the job that requested it.
    fn delay(&mut self, order: RealHostOrder) {
        let late =
            matches!(order, RealHostOrder::Signal { .. } | RealHostOrder::Kill(_) | RealHostOrder::Sweep(_));
        if late {
            // No delay for KILL, because no process can react to it.
            if matches!(order, RealHostOrder::Signal { .. }) && (self.ahead.is_some() || self.clock.is_fast())
            {
                self.held = Some(real_now() + HOLD);
            }
            self.signals.push_back((real_now() + SIGNAL_DELAY, order));
        } else {
            self.carry_out(order);
        }
    }

    fn deliver_signals(&mut self) {
        let now = real_now();
        while let Some((_, order)) = self.signals.pop_front_if(|(at, _)| *at <= now) {
            self.carry_out(order);
        }
    }

    fn carry_out(&mut self, order: RealHostOrder) {
        match order {
            RealHostOrder::Start(start) => self.start_program(&start),
            RealHostOrder::Input(pid, data) => self.programs.input(pid, data),
            RealHostOrder::InputEnd(pid) => self.programs.input(pid, Vec::new()),
            RealHostOrder::Signal { pid, signal, whole } => {
                match self.clients.values().find(|client| client.program == Some(pid)) {
                    Some(client) => client.connection.send(ToClient::ProgramSignal(signal.number())),
                    None => self.programs.signal(pid, signal, whole),
                }
            }
            RealHostOrder::Kill(pid) => {
                if let Some(client) = self.clients.values_mut().find(|client| client.program == Some(pid)) {
                    client.program = None;
                    client.connection.send(ToClient::ProgramSignal(host::Signal::KILL.number()));
                }
                self.programs.forget(pid);
            }
            RealHostOrder::Sweep(job) => self.programs.sweep(job),
        }
    }

    fn start_program(&mut self, start: &ProgramStart) {
        let client = self.clients.values_mut().find(|c| start.client.is_some() && c.command == start.client);
        match client {
            Some(client) => {
                client.program = Some(start.pid);
                client.connection.send(ToClient::Program {
                    path: start.exec.path.clone(),
                    argv: start.exec.argv.clone(),
                    env: start.exec.env.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
                    cwd: start.cwd.clone(),
                });
            }
            None => {
                let client = self
                    .clients
                    .values_mut()
                    .find(|c| start.terminal.is_some() && c.command == start.terminal);
                let started = match client {
                    Some(client) => {
                        client.task = Some(start.pid);
                        client.connection.send(ToClient::RawTerminal);
                        self.programs.start_on_terminal(start, client.window)
                    }
                    None => self.programs.start(start, &self.files),
                };
                if let Err(error) = started {
                    let line = format!("slurmstepd: error: execve(): {}: {error}\n", start.exec.path);
                    self.world.program_output(start.pid, 1, line.as_bytes());
                    self.world.program_output(start.pid, 0, &[]);
                    self.world.program_output(start.pid, 1, &[]);
                    self.world.program_over(start.pid, Status::Exited(2));
                }
            }
        }
    }

    fn pump_clients(&mut self) -> bool {
        let mut moved = false;
        let now = real_now();
        let mut gone = Vec::new();
        for (number, client) in &mut self.clients {
            let Some(command) = client.command else { continue };
            for stream in [0, 1] {
                while client.lost.is_some() || client.connection.backlog() < MAX_BACKLOG {
                    let data = self.world.client_output(command, stream);
                    if data.is_empty() {
                        break;
                    }
                    moved = true;
                    client.connection.send(if stream == 0 {
                        ToClient::Output(data)
                    } else {
                        ToClient::Error(data)
                    });
                }
            }
            if !client.input.is_empty() {
                let taken = self.world.client_input(command, &client.input);
                client.input.drain(..taken);
                moved |= taken > 0;
            } else if client.input_over && client.lost.is_none() {
                client.input_over = false;
                self.world.client_input_end(command);
                moved = true;
            } else if !client.asked && client.program.is_none() && self.world.client_wants_input(command) {
                client.asked = true;
                client.connection.send(ToClient::WantInput);
            }
            let flushed = client.lost.is_some() || client.connection.backlog() < MAX_BACKLOG;
            match self.world.client_status(command) {
                Some(status) if flushed => {
                    self.world.drop_client(command);
                    client.connection.send(ToClient::Exit(status.shell_code()));
                    gone.push(*number);
                }
                Some(_) => {}
                None if client.lost.is_some_and(|at| at <= now) => {
                    self.world.drop_client(command);
                    gone.push(*number);
                }
                None => {}
            }
        }
        for number in gone {
            self.clients.remove(&number);
            moved = true;
        }
        moved
    }

    /// Answers the clients that wait for a job.
    fn answer_waiters(&mut self) {
        if self.waiters.is_empty() {
            return;
        }
        let now = real_now();
        let mut answers = Vec::new();
        let world = &self.world;
        self.waiters.retain(|waiter| {
            let job = world.ctld.job(waiter.job);
            let state = job.map(|job| (job.state.long(), job.state.ended() && !job.flags.completing));
            let answer = match state {
                Some((state, over)) if state == waiter.state || waiter.state.is_empty() && over => {
                    Ok(format!("{state}\n"))
                }
                Some((state, true)) => Err(format!("job {} is {state}", waiter.job)),
                None => Err(format!("there is no job {}", waiter.job)),
                Some((state, false)) if waiter.until <= now => {
                    Err(format!("job {} is still {state}", waiter.job))
                }
                Some((_, false)) => return true,
            };
            answers.push((waiter.client, answer));
            false
        });
        for (client, answer) in answers {
            self.answer(client, answer);
        }
    }
}

/// Reports signals that terminate the server.
pub fn watch_signals(events: std::sync::mpsc::Sender<ServerEvent>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for _ in signals.forever() {
            let _ = events.send(ServerEvent::Terminate);
        }
    });
}
