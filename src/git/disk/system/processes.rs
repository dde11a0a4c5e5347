//! Other processes on Windows: their folder and command line, which the system tells by their memory alone.
#![expect(unsafe_code, reason = "the system's own calls")]

use std::ffi::{OsString, c_void};
use std::os::windows::ffi::OsStringExt as _;
use std::path::PathBuf;

use windows_sys::Wdk::System::Threading::{NtQueryInformationProcess, ProcessBasicInformation};
use windows_sys::Win32::Foundation::{CloseHandle, HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Diagnostics::Debug::ReadProcessMemory;
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW, TH32CS_SNAPPROCESS,
};
use windows_sys::Win32::System::Threading::{
    OpenProcess, PROCESS_BASIC_INFORMATION, PROCESS_QUERY_INFORMATION, PROCESS_VM_READ,
};

/// A process, as it was started.
pub(super) struct ProcessInfo {
    pub(super) folder: PathBuf,
    pub(super) command: String,
}

struct Handle(HANDLE);

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle was opened by the maker of this value and is closed here alone.
        unsafe { CloseHandle(self.0) };
    }
}

/// The ids of the processes whose program has a name that is `wanted`.
pub(super) fn named(wanted: impl Fn(&str) -> bool) -> Vec<u32> {
    // SAFETY: takes two numbers and returns a handle or `INVALID_HANDLE_VALUE`.
    let snapshot = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0) };
    if snapshot == INVALID_HANDLE_VALUE {
        return Vec::new();
    }
    let snapshot = Handle(snapshot);
    let mut entry = PROCESSENTRY32W { dwSize: size_of::<PROCESSENTRY32W>() as u32, ..Default::default() };
    let mut found = Vec::new();
    // SAFETY: the handle is open, and `dwSize` says how much may be written to the entry.
    let mut more = unsafe { Process32FirstW(snapshot.0, &raw mut entry) };
    while more != 0 {
        let end = entry.szExeFile.iter().position(|unit| *unit == 0).unwrap_or(entry.szExeFile.len());
        if wanted(&String::from_utf16_lossy(&entry.szExeFile[..end])) {
            found.push(entry.th32ProcessID);
        }
        // SAFETY: as above.
        more = unsafe { Process32NextW(snapshot.0, &raw mut entry) };
    }
    found
}

/// Looks at a process; `None` when it has ended, or is another user's.
pub(super) fn look(pid: u32) -> Option<ProcessInfo> {
    // Offsets in the description of a process of 64 bits: of its parameters, and in those of its folder and command
    // line.
    const PARAMETERS: usize = 0x20;
    const FOLDER: usize = 0x38;
    const COMMAND: usize = 0x70;
    if !cfg!(target_pointer_width = "64") {
        return None;
    }
    // SAFETY: takes numbers and returns a handle or null.
    let process = unsafe { OpenProcess(PROCESS_QUERY_INFORMATION | PROCESS_VM_READ, 0, pid) };
    if process.is_null() {
        return None;
    }
    let process = Handle(process);
    let mut basic = PROCESS_BASIC_INFORMATION::default();
    let size = size_of::<PROCESS_BASIC_INFORMATION>() as u32;
    // SAFETY: the handle is open, and at most `size` bytes are written to `basic`, which has as many.
    let status = unsafe {
        let to = (&raw mut basic).cast::<c_void>();
        NtQueryInformationProcess(process.0, ProcessBasicInformation, to, size, std::ptr::null_mut())
    };
    if status < 0 || basic.PebBaseAddress.is_null() {
        return None;
    }
    let parameters = read_number(&process, basic.PebBaseAddress as usize + PARAMETERS)?;
    Some(ProcessInfo {
        folder: PathBuf::from(read_string(&process, parameters + FOLDER)?),
        command: read_string(&process, parameters + COMMAND)?.to_string_lossy().into_owned(),
    })
}

/// Fills `bytes` from an address of another process.
fn read(process: &Handle, address: usize, bytes: &mut [u8]) -> Option<()> {
    // SAFETY: at most as many bytes are written as there is room for; the system checks the address in the other
    // process.
    let done = unsafe {
        let to = bytes.as_mut_ptr().cast::<c_void>();
        ReadProcessMemory(process.0, address as *const c_void, to, bytes.len(), std::ptr::null_mut())
    };
    (done != 0).then_some(())
}

fn read_number(process: &Handle, address: usize) -> Option<usize> {
    let mut bytes = [0; size_of::<usize>()];
    read(process, address, &mut bytes)?;
    Some(usize::from_le_bytes(bytes)).filter(|number| *number != 0)
}

/// Reads a string of the system's: its length in bytes, its room, and the address of its text.
fn read_string(process: &Handle, address: usize) -> Option<OsString> {
    let mut length = [0; 2];
    read(process, address, &mut length)?;
    let mut text = vec![0; usize::from(u16::from_le_bytes(length))];
    if !text.is_empty() {
        read(process, read_number(process, address + 8)?, &mut text)?;
    }
    let units: Vec<u16> = text.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    Some(OsString::from_wide(&units))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_tells_its_folder_and_its_command() {
        let us = look(std::process::id()).unwrap();
        let here = std::env::current_dir().unwrap().canonicalize().unwrap();
        assert_eq!(us.folder.canonicalize().unwrap(), here);
        let program = std::env::current_exe().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        assert!(us.command.contains(program.trim_end_matches(".exe")), "{}", us.command);
        assert!(named(|name| name.eq_ignore_ascii_case(&program)).contains(&std::process::id()));
    }
}
